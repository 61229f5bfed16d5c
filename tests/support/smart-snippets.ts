/** Runs the code of a step as a developer would, and reads what a program says that cannot run here. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import type { SmartLanguage } from '../../app/shared/snippets/smart/writer.ts'
import {
  type SnippetRequest,
  type SnippetValue,
  type SnippetWork,
  variablesOf,
} from '../../server/contract/lab/smart-snippets.ts'
import { rootDir } from '../../server/root-dir.ts'

const run = promisify(execFile)

/** Of every machine that runs the tests. */
export const ranLanguages = ['curl', 'javascript', 'python'] as const satisfies readonly SmartLanguage[]
type RanLanguage = (typeof ranLanguages)[number] | 'java'

/** Nothing of this process but what finds programs: no proxy, no variable of the tests. */
const bare = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'test' as const }

type Variables = Readonly<Record<string, string>>

/** Runs code as it is shown; hooks of the file that calls it. One Python serves all: starting it takes longest. */
export function codeRunner() {
  let python: ChildProcessWithoutNullStreams | undefined
  afterAll(() => void python?.kill())

  async function runPython(code: string, variables: Variables): Promise<string> {
    python ??= spawn('python3', ['-u', '-c', pythonLoop], { env: bare })
    const answers = createInterface({ input: python.stdout })
    python.stdin.write(`${JSON.stringify({ code, variables: { ...bare, ...variables } })}\n`)
    const [line] = await once(answers, 'line')
    answers.close()
    const { printed, failed } = JSON.parse(line)
    if (failed) throw new Error(failed)
    return printed
  }

  const runners: Readonly<Record<RanLanguage, (code: string, variables: Variables) => Promise<string>>> = {
    curl: async (code, variables) =>
      (await run('bash', ['-c', code], { cwd: rootDir, env: { ...bare, ...variables } })).stdout,
    javascript: runModule,
    python: runPython,
    java: runJava,
  }

  /** @returns what the program printed. @throws when it failed */
  return (language: RanLanguage, code: string, variables: Variables): Promise<string> =>
    runners[language](code, variables)
}

/** Reads a program a line, runs it in an environment and a namespace of its own, and writes what it printed. */
const pythonLoop = `
import contextlib, io, json, os, sys, traceback
for line in sys.stdin:
    asked = json.loads(line)
    os.environ.clear()
    os.environ.update(asked["variables"])
    printed, failed = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        try:
            exec(asked["code"], {"__name__": "__main__"})
        except BaseException:
            failed = traceback.format_exc()
    print(json.dumps({"printed": printed.getvalue(), "failed": failed}), flush=True)
`

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<void>

/** A module in this process: its imports are ours, its environment and what it prints are its own. */
async function runModule(code: string, variables: Variables): Promise<string> {
  const printed: string[] = []
  const body = code.replace(/^import \{ ([\w, ]+) \} from ('[^']+')$/gm, 'const { $1 } = await load($2)')
  await new AsyncFunction('process', 'console', 'load', body)(
    { env: variables },
    { log: (...words: unknown[]) => printed.push(words.join(' ')) },
    (name: string) => import(name),
  )
  return `${printed.join('\n')}\n`
}

/** A class in a file of its name. */
async function runJava(code: string, variables: Variables): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-java-'))
  const [, name = ''] = /public class (\w+)/.exec(code) ?? []
  const file = join(folder, `${name}.java`)
  writeFileSync(file, code)
  try {
    return (await run('java', [file], { env: { ...process.env, ...variables } })).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const succeeds = (program: string, parameters: readonly string[]) =>
  run(program, parameters).then(
    () => true,
    () => false,
  )

/** Whether this machine's Python can sign. */
export const pythonSigns = () => succeeds('python3', ['-c', 'import jwt, cryptography'])
export const hasJava = () => succeeds('java', ['--source', '17', '--version'])

/** The JSON in what a program printed. */
export function jsonIn(printed: string) {
  return JSON.parse(printed.slice(printed.indexOf('{')))
}

/** The lines that an authorize step prints. */
export function authorizeLines(printed: string) {
  const [url = '', ...lines] = printed.trim().split('\n')
  const lineOf = (name: string) =>
    lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
  return { url: new URL(url), verifier: lineOf('CODE_VERIFIER'), state: lineOf('STATE') }
}

/** What a request has to say, in words that can be compared. */
export function partsOf({ method, url, accept, bearer, basic, form = [] }: SnippetRequest): string[] {
  return [
    `${method} ${url}`,
    ...(accept ? [`Accept: ${accept}`] : []),
    ...(bearer ? [`Authorization: Bearer $${bearer}`] : []),
    ...(basic ? [`Authorization: Basic ${basic.user}:$${basic.password}`] : []),
    ...form.map(([name, value]) => `${name}=${textOf(value)}`),
  ].sort()
}

const textOf = (value: SnippetValue) => (typeof value === 'string' ? value : `$${value.variable}`)

/** What the table says and a program of Java does not, and what the program says beside it. */
export function differences(code: string, work: SnippetWork): string[] {
  const program = code.replace(/^ *\/\/.*$/gm, '')
  const literals = literalsOf(program)
  const { texts, names } = wordsOf(work)
  const read = new Set([...program.matchAll(/System\.getenv\("([A-Z_]+)"\)/g)].map(([, name]) => name))
  const says = (text: string) => literals.includes(text) || literals.includes(`${text}?`)
  const isName = (literal: string) => /^[a-z]+(_[a-z0-9]+)+$/.test(literal)
  const known = [...texts, ...names, 'code_challenge']
  return [
    ...texts.filter((text) => !says(text)).map((text) => `lacks ${text}`),
    ...names.filter((name) => !new RegExp(`\\b${name}\\b`).test(program)).map((name) => `lacks ${name}`),
    ...variablesOf(work)
      .filter((name) => !read.has(name))
      .map((name) => `does not read ${name}`),
    ...[...read]
      .filter((name) => !variablesOf(work).some((each) => each === name))
      .map((name) => `reads ${name}`),
    ...literals
      .filter((literal) => isName(literal) || /:\/\//.test(literal))
      .filter((literal) => !known.includes(literal.replace(/\?$/, '')))
      .map((literal) => `adds ${literal}`),
  ]
}

/** Texts that are literals of a program, and names that may be its identifiers. */
function wordsOf(work: SnippetWork): { texts: string[]; names: string[] } {
  if (work.kind === 'assertion')
    return {
      texts: [work.algorithm, work.issuer, work.audience, 'JWT'],
      names: ['alg', 'typ', 'kid', 'iss', 'sub', 'aud', 'jti', 'exp'],
    }
  if (work.kind === 'authorize')
    return { texts: [work.url, ...work.parameters.flat(), 'code_challenge', 'state'], names: [] }
  const { url, accept, bearer, basic, form = [] } = work
  return {
    texts: [
      url,
      ...(accept ? [accept] : []),
      ...form.flatMap(([name, value]) => (typeof value === 'string' ? [name, value] : [name])),
    ],
    names: [
      ...(accept ? ['Accept'] : []),
      ...(bearer || basic ? ['Authorization'] : []),
      ...(bearer ? ['Bearer'] : []),
      ...(basic ? [basic.user] : []),
    ],
  }
}

/** Every string of a program, its escapes undone. */
function literalsOf(program: string): string[] {
  return [...program.replaceAll('"""', '').matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(
    ([, text = '']) => JSON.parse(`"${text}"`) as string,
  )
}
