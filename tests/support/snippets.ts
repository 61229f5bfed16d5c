/** The code in the guides, and what it takes to run it: TypeScript as a function. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import type { Variables } from '../../app/shared/snippets/parse-curl.ts'
import { rootDir } from '../../server/root-dir.ts'

export type Snippet = {
  guide: string
  language: string
  /** What it runs against: `rest`, `fhir`, … */
  stage: string
  /** In which the reader saves it. */
  file: string
  /** Of a `sh` snippet. */
  status: number
  /** Stands in the answer, or in what the program says. */
  expected: string
  code: string
}

const folder = join(rootDir, 'docs')
export const guideFiles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.mdx'),
)

const fence = /^```(\w*)(.*)\n([\s\S]*?)^```$/gm

const readGuide = (guide: string) => readFileSync(join(folder, `${guide}.mdx`), 'utf8')

export const snippets: readonly Snippet[] = guideFiles.flatMap((name) => {
  const guide = name.replace('.mdx', '')
  return snippetsIn(readGuide(guide), guide)
})

/** Commands that tests send, whose responses the page shows, in its order. */
export function commandsOf(guide: string): readonly string[] {
  return snippets
    .filter((each) => each.guide === guide && each.language === 'sh' && each.status > 0)
    .map(({ code }) => code)
}

/** Requests of a tutorial that are one command of curl, in its order; their responses are recorded too. */
export function tutorialRequests(guide: string): readonly Snippet[] {
  return snippets.filter(
    ({ guide: its, language, stage, code }) =>
      its === guide && language === 'sh' && stage === 'own' && /^curl (?!-s)/.test(code),
  )
}

/** The parts of a guide by its headings, in order. */
export function readSections(guide: string): readonly { heading: string; snippets: readonly Snippet[] }[] {
  return readGuide(guide)
    .split(/^##+ /m)
    .map((part) => ({ heading: part.split('\n')[0]?.trim() ?? '', snippets: snippetsIn(part, guide) }))
    .filter((part) => part.snippets.length > 0)
}

function snippetsIn(text: string, guide: string): Snippet[] {
  return [...text.matchAll(fence)].map(([, language = '', meta = '', code = '']) => ({
    guide,
    language,
    ...parseMeta(meta.trim()),
    code: code.trimEnd(),
  }))
}

/** `rest 200 Testwell`, `rest "Testwell"`, or `own app.mjs "Testwell"`. */
function parseMeta(meta: string): Pick<Snippet, 'stage' | 'status' | 'file' | 'expected'> {
  const [, stage = '', status = '', file = '', quoted, word = ''] =
    /^(\w+)(?: (\d{3}))?(?: (\w+\.(?:mjs|py)))?(?: "([^"]+)"| (\S+))?$/.exec(meta) ?? []
  return { stage, status: Number(status), file, expected: quoted ?? word }
}

type World = {
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
