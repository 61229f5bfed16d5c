/** Reads the code blocks of the guides, and runs those in TypeScript. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import type { Variables } from '../../app/shared/snippets/parse-curl.ts'
import { rootDir } from '../../server/root-dir.ts'

export type Snippet = {
  guide: string
  language: string
  /** The interface or environment that the tests run it against: `rest`, `fhir`, … */
  stage: string
  /** The file in which the reader saves it. */
  file: string
  /** The expected HTTP status of a `sh` snippet. */
  status: number
  /** Text that the response or the program's output must contain. */
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

/** The commands of a guide that have an expected status: the guide shows their recorded responses. */
export function commandsOf(guide: string): readonly string[] {
  return snippets
    .filter((each) => each.guide === guide && each.language === 'sh' && each.status > 0)
    .map(({ code }) => code)
}

/** The tutorial requests whose responses are recorded, too. With `-s`, curl writes the response to a file. */
export function tutorialRequests(guide: string): readonly Snippet[] {
  return snippets.filter(
    (each) => each.guide === guide && each.stage === 'own' && /^curl (?!-s)/.test(each.code),
  )
}

/** The sections of a guide that have snippets, in order. */
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

type SnippetContext = {
  variables: Variables
  fetch: (input: string | Request, init?: RequestInit) => Promise<Response>
  /** Replaces `setTimeout`. */
  wait: (seconds: number) => Promise<void>
  /** The modules that the snippet can import. */
  modules?: Readonly<Record<string, object>>
}

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<void>

/** Runs a TypeScript snippet. @returns its console output */
export async function runTypeScript(code: string, context: SnippetContext): Promise<string> {
  const output: string[] = []
  const imports = /^import \{ ([\w, ]+) \} from '([^']+)'$/gm
  const imported = new Map<string, unknown>()
  for (const [, names = '', module = ''] of code.matchAll(imports)) {
    const values = context.modules?.[module] as Record<string, unknown> | undefined
    for (const name of names.split(', ')) {
      if (values?.[name] === undefined) throw new Error(`${module} has no ${name}`)
      imported.set(name, values[name])
    }
  }
  const { code: script } = await transform(code.replace(imports, ''), { loader: 'ts', target: 'es2023' })
  const globals = {
    fetch: context.fetch,
    process: { env: context.variables },
    console: { log: (...words: unknown[]) => output.push(words.join(' ')) },
    setTimeout: (done: () => void, milliseconds: number) => void context.wait(milliseconds / 1000).then(done),
    ...Object.fromEntries(imported),
  }
  await new AsyncFunction(...Object.keys(globals), script)(...Object.values(globals))
  return output.join('\n')
}
