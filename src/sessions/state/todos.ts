/** An agent's own todo list, as its tools write it. */
import { toolsThat } from '../../agents/facts.ts'
import { isObject } from '../../core/is-object.ts'
import type { HookEvent } from '../../events/index.ts'
import type { Session, Todo } from './session.ts'

const LISTS = toolsThat('todos')
const MAX_TODOS = 50
const MAX_CHARS = 200

type Fields = Readonly<Record<string, unknown>>

/** After a successful tool call. */
export function withTodos(session: Session, event: HookEvent): Session {
  const { tool, agentId } = event
  if (!tool || agentId !== undefined) return session
  if (LISTS.has(tool.name)) return put(session, listIn(tool.input))
  // Claude Code 2.1.325 has separate tools to create and update an item.
  if (tool.name === 'TaskCreate') return put(session, created(session, fieldsOf(tool.response).task))
  if (tool.name === 'TaskUpdate') return put(session, updated(session, fieldsOf(tool.input)))
  return session
}

function put(session: Session, todos: readonly Todo[] | undefined): Session {
  return todos === undefined ? session : { ...session, todos: todos.slice(-MAX_TODOS) }
}

function listIn(input: unknown): Todo[] | undefined {
  const { todos } = fieldsOf(input)
  if (!Array.isArray(todos)) return undefined
  return todos.slice(0, MAX_TODOS).flatMap((one) => {
    const { content, description, subject, status } = fieldsOf(one)
    const text = [content, description, subject].find((value) => typeof value === 'string')
    return typeof text === 'string' ? [todoOf(text, status)] : []
  })
}

function created(session: Session, task: unknown): Todo[] | undefined {
  const { id, subject } = fieldsOf(task)
  if (typeof subject !== 'string') return undefined
  return [...(session.todos ?? []), todoOf(subject, 'pending', id)]
}

function updated(session: Session, { taskId, status, subject }: Fields): Todo[] | undefined {
  const id = String(taskId ?? '')
  const known = session.todos?.find((todo) => todo.id === id)
  if (!known) return undefined
  const others = session.todos ?? []
  if (status === 'deleted') return others.filter((todo) => todo !== known)
  const next = todoOf(typeof subject === 'string' ? subject : known.text, status ?? known.status, id)
  return others.map((todo) => (todo === known ? next : todo))
}

function todoOf(text: string, status: unknown, id?: unknown): Todo {
  return {
    ...(typeof id === 'string' && id !== '' ? { id: id.slice(0, 64) } : {}),
    text: text.slice(0, MAX_CHARS),
    status: typeof status === 'string' ? status.slice(0, 32) : 'pending',
  }
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}
