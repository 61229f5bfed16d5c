/** The code in the guides, and what it takes to run it: a `curl` line as a request, TypeScript as a function. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { rootDir } from '../../server/root-dir.ts'

export type Snippet = {
  guide: string
  language: string
  /** What it runs against: `rest`, `fhir`, … */
  stage: string
  /** Of a `sh` snippet. */
  status: number
  /** Stands in the answer, or in what the program says. */
  expected: string
  code: string
}

const folder = join(rootDir, 'docs')
export const guideFiles = readdirSync(folder).filter((name) => name.endsWith('.mdx'))

const fence = /^```(\w*)(.*)\n([\s\S]*?)^```$/gm

export const snippets: readonly Snippet[] = guideFiles.flatMap((name) =>
  [...readFileSync(join(folder, name), 'utf8').matchAll(fence)].map(
    ([, language = '', meta = '', code = '']) => ({
      guide: name.replace('.mdx', ''),
      language,
      ...parseMeta(meta.trim()),
      code: code.trimEnd(),
    }),
  ),
)

/** `rest 200 Testwell`, or `rest "Testwell"`. */
function parseMeta(meta: string): Pick<Snippet, 'stage' | 'status' | 'expected'> {
  const [, stage = '', status = '', quoted, word = ''] =
    /^(\w+)(?: (\d{3}))?(?: "([^"]+)"| (\S+))?$/.exec(meta) ?? []
  return { stage, status: Number(status), expected: quoted ?? word }
}

export type Variables = Readonly<Record<string, string>>

export type CurlRequest = { method: string; url: string; headers: Headers; body: string | undefined }

/** What a shell and curl make of a command. @throws on an option that no guide may use without this knowing it */
export function parseCurl(command: string, variables: Variables): CurlRequest {
  const [program, ...words] = splitWords(command, variables)
  if (program !== 'curl') throw new Error(`no curl command: ${command}`)
  const request: CurlRequest = { method: '', url: '', headers: new Headers(), body: undefined }
  const next = (option: string) => {
    const value = words.shift()
    if (value === undefined) throw new Error(`${option} has no value`)
    return value
  }
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (word === '-X') request.method = next(word)
    else if (word === '-d') request.body = next(word)
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([\w-]+): (.+)$/.exec(next(word)) ?? []
      request.headers.append(name, value)
    } else if (word === '-i') continue
    else if (word === '--compressed') request.headers.set('accept-encoding', 'gzip')
    else if (/^https?:\/\//.test(word) && request.url === '') request.url = word
    else throw new Error(`curl with ${word} is not known here`)
  }
  if (request.url === '') throw new Error(`no address: ${command}`)
  request.method ||= request.body === undefined ? 'GET' : 'POST'
  return request
}

/** Words as a POSIX shell splits them: quotes, `\` and `$NAME`. @throws on a variable that nobody set */
function splitWords(command: string, variables: Variables): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  const text = command.replaceAll('\\\n', ' ')
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    word ??= ''
    if (character === quote) quote = ''
    else if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character === '\\' && quote !== "'") word += text[++at] ?? ''
    else if (character === '$' && quote !== "'") {
      const [name = ''] = /^[A-Z_]+/.exec(text.slice(at + 1)) ?? []
      const value = variables[name]
      if (value === undefined) throw new Error(`$${name} is not set: ${command}`)
      word += value
      at += name.length
    } else word += character
  }
  if (quote !== '') throw new Error(`a quote is open: ${command}`)
  return word === undefined ? words : [...words, word]
}

export type World = {
  variables: Variables
  fetch: (input: string | Request, init?: RequestInit) => Promise<Response>
  /** Seconds that the program wants to wait. */
  wait: (seconds: number) => Promise<void>
  /** What it may import. */
  modules?: Readonly<Record<string, object>>
}

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<void>

/** Runs a TypeScript snippet. @returns what it said, line by line */
export async function runTypeScript(code: string, world: World): Promise<string> {
  const said: string[] = []
  const imports = /^import \{ ([\w, ]+) \} from '([^']+)'$/gm
  const imported = new Map<string, unknown>()
  for (const [, names = '', module = ''] of code.matchAll(imports)) {
    const values = world.modules?.[module] as Record<string, unknown> | undefined
    for (const name of names.split(', ')) {
      if (values?.[name] === undefined) throw new Error(`${module} has no ${name}`)
      imported.set(name, values[name])
    }
  }
  const { code: script } = await transform(code.replace(imports, ''), { loader: 'ts', target: 'es2023' })
  const given = {
    fetch: world.fetch,
    process: { env: world.variables },
    console: { log: (...words: unknown[]) => said.push(words.join(' ')) },
    setTimeout: (done: () => void, milliseconds: number) => void world.wait(milliseconds / 1000).then(done),
    ...Object.fromEntries(imported),
  }
  await new AsyncFunction(...Object.keys(given), script)(...Object.values(given))
  return said.join('\n')
}
