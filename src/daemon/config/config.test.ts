import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../test/kit.ts'
import { GantryError } from '../../core/errors.ts'
import { loadConfig, retentionLimits } from './config.ts'
import { DEFAULT_CONFIG } from './defaults.ts'
import { parseConfig } from './file.ts'
import { configSchema } from './schema.ts'

const FILE = '/home/dev/.config/gantry/gantry.toml'

/** What is wrong with a text, as "line: key", and each complaint with file and reason, too. */
async function complaints(text: string): Promise<string[]> {
  try {
    await parseConfig(text, FILE)
  } catch (error) {
    expect(error).toBeInstanceOf(GantryError)
    expect((error as GantryError).code).toBe('BAD_CONFIG')
    return (error as GantryError).message.split('\n').map((complaint) => {
      const [, file, line, key] = /^(\S+?):(\d+): (.+?): \S.*$/.exec(complaint) ?? []
      expect(file).toBe(FILE)
      return `${line}: ${key}`
    })
  }
  return []
}

/** Every key there is, as table and name, from the schema itself: a new key cannot be forgotten here. */
const KEYS = Object.entries(configSchema().shape).flatMap(([table, schema]) => {
  const defaults = DEFAULT_CONFIG[table as keyof typeof DEFAULT_CONFIG] as Record<string, unknown>
  expect(schema).toBeDefined()
  return Object.keys(defaults).map((key) => ({ table, key, value: defaults[key] }))
})

describe('every key', () => {
  for (const { table, key, value } of KEYS) {
    test(`${table}.${key} of the wrong type is named with file, line and key`, async () => {
      // Neither text, number, list nor yes and no; where tables are by name, the one of that name is wrong.
      const isTable = typeof value === 'object' && !Array.isArray(value)
      expect(await complaints(`# one\n\n[${table}]\n# four\n${key} = { a = 1 }\n`)).toEqual([
        `5: ${table}.${key}${isTable ? '.a' : ''}`,
      ])
    })

    test(`${table}.${key} may be set to what it is by default`, async () => {
      const config = await parseConfig(`[${table}]\n${key} = ${JSON.stringify(value)}\n`, FILE)
      expect(config).toEqual(DEFAULT_CONFIG)
    })
  }

  const outOfRange: Record<string, string> = {
    'http.port': '70000',
    'log.level': '"loud"',
    'log.max_mb': '0',
    'log.keep': '2.5',
    'retention.max_days': '-1',
    'retention.max_mb': 'nan',
  }
  for (const [path, value] of Object.entries(outOfRange)) {
    test(`${path} = ${value} is out of range`, async () => {
      const [table, key] = path.split('.')
      expect(await complaints(`[${table}]\n${key} = ${value}`)).toEqual([`2: ${path}`])
    })
  }
})

describe('a mistake', () => {
  test('in an unknown key is named, each one', async () => {
    expect(await complaints('[http]\nport = 1\nprot = 2\nhost = "x"\n\n[nope]\na = 1\n')).toEqual([
      `3: http.prot`,
      `4: http.host`,
      `6: nope`,
    ])
  })

  test('in the syntax has its line', async () => {
    expect(await complaints('[http]\nport = 1\n[log\nlevel = "info"\n')).toEqual(['4: not valid TOML'])
    expect(await complaints('[http]\nport = 1\nport = 2\n')).toEqual(['3: not valid TOML'])
    expect(await complaints('\u0000')).toEqual(['1: not valid TOML'])
  })

  const spellings: Record<string, [string, number]> = {
    'with spaces': ['[ http ]\n  port   =   "x"', 2],
    quoted: ['["http"]\n"port" = "x"', 2],
    dotted: ['\nhttp.port = "x"', 2],
    'in an inline table': ['# inline\nhttp = { enabled = true, port = "x" }', 2],
    'under a comment that looks like it': ['# [http]\n# port = 1\n[http] # [log]\nport = "x"', 4],
    'with Windows line ends': ['[log]\r\nkeep = 2\r\n[http]\r\nport = "x"\r\n', 4],
    'behind a byte order mark': ['\ufeff[http]\nport = "x"\n', 2],
    'behind a key of the same name elsewhere': [
      '[log]\nlevel = "info"\n[http]\nenabled = true\nport = "x"',
      5,
    ],
  }
  for (const [name, [text, line]] of Object.entries(spellings)) {
    test(`is found ${name}`, async () => {
      expect(await complaints(text)).toEqual([`${line}: http.port`])
    })
  }

  test('in several places is reported at once', async () => {
    expect(await complaints('[http]\nport = -1\n[log]\nkeep = 0\n')).toEqual([`2: http.port`, `4: log.keep`])
  })

  test('is a table instead of a value, or the reverse', async () => {
    expect(await complaints('http = 5')).toEqual([`1: http`])
    expect(await complaints('[[http]]\nport = 1')).toEqual([`1: http`])
  })

  test('cannot change the prototype of objects', async () => {
    for (const text of [
      '[__proto__]\nport = 1',
      '[http]\n"__proto__" = { polluted = 1 }',
      '"\\u005f_proto__".x = 1',
    ]) {
      expect(await complaints(text)).toEqual([expect.stringMatching(/^[12]: __proto__$/)])
    }
    expect(({} as Record<string, unknown>).port).toBeUndefined()
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(await complaints('[constructor]\na = 1')).toEqual(['1: constructor'])
  })
})

test('the defaults are those of the schema, in its order', () => {
  expect(JSON.stringify(DEFAULT_CONFIG)).toBe(JSON.stringify(configSchema().parse({})))
})

describe('a good file', () => {
  test('changes what it says and nothing else', async () => {
    expect(await parseConfig('[http]\nport = 5000\n[retention]\nmax_days = 0.5', FILE)).toEqual({
      ...DEFAULT_CONFIG,
      http: { enabled: true, port: 5000 },
      retention: { ...DEFAULT_CONFIG.retention, max_days: 0.5 },
    })
  })

  test('may be empty, have Windows line ends, or begin with a byte order mark', async () => {
    expect(await parseConfig('', FILE)).toEqual(DEFAULT_CONFIG)
    expect(await parseConfig('# nothing\n', FILE)).toEqual(DEFAULT_CONFIG)
    expect((await parseConfig('[http]\r\nport = 7\r\n', FILE)).http.port).toBe(7)
    expect((await parseConfig('\ufeff[http]\nport = 7\n', FILE)).http.port).toBe(7)
  })
})

describe('the file', () => {
  test('that is missing means the defaults', async () => {
    expect(await loadConfig(join(tempDir(), 'gantry.toml'))).toEqual({ config: DEFAULT_CONFIG, text: '' })
  })

  test('is read', async () => {
    const file = join(tempDir(), 'gantry.toml')
    writeFileSync(file, '[log]\nkeep = 9\n')
    expect((await loadConfig(file)).config.log.keep).toBe(9)
  })

  test('that cannot be read is a mistake with its name', async () => {
    const file = join(tempDir(), 'gantry.toml')
    mkdirSync(file)
    chmodSync(file, 0o700)
    expect(loadConfig(file)).rejects.toThrow(file)
  })
})

test('limits of the journal are in milliseconds and bytes', () => {
  expect(retentionLimits(DEFAULT_CONFIG)).toEqual({ maxAgeMs: 30 * 86_400_000, maxBytes: 2048 * 1024 * 1024 })
})
