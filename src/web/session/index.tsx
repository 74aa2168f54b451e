/** One session on the page. */
import { lookOf } from '../../sessions/state/look.ts'
import { useSession } from '../live/store.ts'
import { Command, Empty } from '../parts/empty.tsx'
import { Glyph, Mark } from '../parts/mark.tsx'
import { shown } from '../parts/words.ts'
import { partsOf, usePath } from '../router.ts'

export default function Session() {
  const [key = ''] = partsOf(usePath())
  const session = useSession(key)
  if (!session)
    return (
      <Empty title="No such session">
        <p>
          <code>{key}</code> is not known. The daemon keeps every session for a while after its end.
        </p>
      </Empty>
    )
  const look = lookOf(session)
  return (
    <>
      <h1 className="session-title">
        <Glyph agent={session.agent} /> {session.name} <Mark look={look} />{' '}
        <span className={look.tone}>{look.text}</span>
      </h1>
      <p className="quiet">{shown(session.lastPrompt ?? '')}</p>
      <Empty title="More of it on the command line">
        <Command>{`gantry sessions show ${session.name}`}</Command>
      </Empty>
    </>
  )
}
