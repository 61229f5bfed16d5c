/**
 * A guide that builds an app, followed as a reader does: what the page shows is typed into a terminal, programs are
 * saved and run, and what a response says is put in place of `…`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Addresses, type OwnValues, placeAddresses } from '../../app/docs/guides/addresses.ts'
import { readSections, type Snippet } from './snippets.ts'

/** Of a server that answers everything at one origin; the reader's own values come later. */
export function addressesOf(
  origin: string,
  own?: OwnValues,
): { -readonly [Name in keyof Addresses]: Addresses[Name] } {
  return { portal: origin, rest: origin, fhir: origin, own }
}

/** Where a response says what a variable of a guide wants. */
const saidIn: Readonly<Record<string, RegExp>> = {
  TOKEN: /"access_token":\s*"([^"]+)"/,
  REFRESH_TOKEN: /"refresh_token":\s*"([^"]+)"/,
  PATIENT: /"patient":\s*"([^"]+)"/,
  STATUS_URL: /^content-location: (\S+)/im,
  CHANGES_URL: /^content-location: (\S+)/im,
  FILE_URL: /"url":\s*"([^"]+)"/,
  SINCE: /"transactionTime":\s*"([^"]+)"/,
}
const interpreters: Readonly<Record<string, string>> = { js: process.execPath, py: 'python3' }
const patienceMs = 20_000

type Program = {
  /** Waits for the words. @returns everything it has written */
  says: (words: string | RegExp) => Promise<string>
  stop: () => Promise<void>
}

/** Looks up on pages of the portal what a variable of the guide wants. @param said what the terminal showed last */
type LookUp = (said: string) => Promise<string>

/** @param pages for variables that no response names, by their name in small letters */
export function startGuide(
  guide: string,
  addresses: Addresses,
  pages: Readonly<Record<string, LookUp>> = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-guide-'))
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: 'C.UTF-8',
    NODE_ENV: 'production' as const,
  }
  const sections = readSections(guide)
  const left = new Set(sections.map(({ heading }) => heading))
  const children = new Set<ChildProcess>()
  const terminal = openTerminal()
  /** What the terminal showed, the newest first. */
  const said: string[] = []

  const shown = ({ code }: Snippet) => placeAddresses(code, addresses)

  /** Runs one part of the guide, each part once and in order. @returns what the terminal showed last */
  async function follow(heading: string): Promise<string> {
    for (const snippet of take(heading)) {
      if (snippet.stage === 'shell') await terminal.run(await fillIn(shown(snippet)))
      if (snippet.stage === 'own') await runSnippet(snippet)
    }
    return said[0] ?? ''
  }

  async function runSnippet(snippet: Snippet): Promise<void> {
    const { file, language, expected } = snippet
    if (file) writeFileSync(join(folder, file), shown(snippet))
    if (file && expected === '') return
    const command = file ? `${interpreters[language]} ${file}` : shown(snippet)
    const heard = await terminal.run(command)
    if (!heard.includes(expected)) throw new Error(`no “${expected}” after\n${command}\n${heard}`)
    said.unshift(heard)
  }

  /** A part whose programs wait for a browser: each in turn. */
  async function program(heading: string, use: (program: Program, snippet: Snippet) => Promise<void>) {
    for (const snippet of take(heading)) {
      writeFileSync(join(folder, snippet.file), shown(snippet))
      const running = start(interpreters[snippet.language] ?? '', [snippet.file])
      await use(running, snippet).finally(running.stop)
    }
  }

  function take(heading: string): readonly Snippet[] {
    const [next] = left
    if (next !== heading) throw new Error(`the guide goes on with “${next}”, not with “${heading}”`)
    left.delete(heading)
    return sections.find((each) => each.heading === heading)?.snippets ?? []
  }

  async function fillIn(code: string): Promise<string> {
    const lines: string[] = []
    for (const line of code.split('\n')) {
      const [, name = ''] = /^export ([A-Z_]+)=…$/.exec(line) ?? []
      const value =
        (await pages[name.toLowerCase()]?.(said[0] ?? '')) ??
        said.map((text) => saidIn[name]?.exec(text)?.[1]).find(Boolean)
      if (!value) throw new Error(`nothing says what to put in ${line}\n${said[0]}`)
      lines.push(`export ${name}='${value}'`)
    }
    return lines.join('\n')
  }

  function openTerminal() {
    const shell = start('bash', ['--noprofile', '--norc'])
    let commands = 0
    async function run(command: string): Promise<string> {
      const mark = `--- ${++commands} ---`
      const before = shell.length()
      shell.write(`exec 2>&1\n${command}\nprintf '\\n%s\\n' '${mark}'\n`)
      return (await shell.says(mark)).slice(before)
    }
    return { run }
  }

  function start(command: string, parameters: readonly string[]) {
    const child = spawn(command, parameters, { cwd: folder, env: environment, stdio: 'pipe' })
    children.add(child)
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more
      })
    const matches = (words: string | RegExp) =>
      typeof words === 'string' ? text.includes(words) : words.test(text)

    function says(words: string | RegExp): Promise<string> {
      return new Promise((resolve, reject) => {
        const done = (error?: Error) => {
          clearTimeout(timer)
          child.stdout.off('data', look)
          child.off('close', close)
          if (error) reject(error)
          else resolve(text)
        }
        const missing = (why: string) => new Error(`${command} ${why} without “${words}”:\n${text}`)
        const timer = setTimeout(() => done(missing('goes on')), patienceMs)
        const look = () => matches(words) && done()
        const close = () => done(matches(words) ? undefined : missing('ended'))
        child.stdout.on('data', look)
        child.on('close', close)
        look()
      })
    }

    async function stop(): Promise<void> {
      child.kill()
      await ended
      children.delete(child)
    }

    return { says, stop, length: () => text.length, write: (line: string) => void child.stdin.write(line) }
  }

  /** Ends what runs. @throws when a part of the guide was left out */
  async function close(): Promise<void> {
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true, force: true })
    const unread = sections.filter(({ heading, snippets }) => left.has(heading) && snippets.length > 0)
    if (unread.length > 0) throw new Error(`not followed: ${unread.map(({ heading }) => heading).join(', ')}`)
  }

  return {
    follow,
    program,
    close,
    /** Every snippet as the page shows it. */
    code: () => sections.flatMap(({ snippets }) => snippets.map(shown)),
  }
}
