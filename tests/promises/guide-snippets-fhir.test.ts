/** Every command and program of the guides that speaks to FHIR, SMART and Bulk Data, run as it is printed. */
import { expect, test } from 'vitest'
import { bulkStack } from '../support/bulk.ts'
import { baseOf, defaultPractice, fhirOrigin } from '../support/fhir.ts'
import { expectSample, runCommand } from '../support/sample-responses.ts'
import { slice } from '../support/slice.ts'
import { commandsOf, runTypeScript, type Snippet, snippets } from '../support/snippets.ts'

const ofFhir = snippets.filter(({ stage }) => ['fhir', 'open', 'system'].includes(stage))
const commands = ofFhir.filter(({ language, stage }) => language === 'sh' && stage !== 'system')
const programs = ofFhir.filter(({ language }) => language === 'ts')
/** One run of an export, in the order of the guide. */
const steps = ofFhir.filter(({ language, stage }) => language === 'sh' && stage === 'system')

const tokens: Record<string, string> = { open: '' }

const stack = await bulkStack()

tokens.system = (await stack.issueToken({ audience: 'backend' })).token
tokens.fhir = tokens.system

const fetch = async (input: string | Request, init?: RequestInit) =>
  stack.app.fetch(new Request(input, init), { incoming: { socket: { remoteAddress: '192.0.2.1' } } })

const placed = ({ code }: Snippet) =>
  code.replaceAll('FHIR_ORIGIN', fhirOrigin).replaceAll('SANDBOX_BASE', baseOf(defaultPractice))
const variablesOf = ({ stage }: Snippet) => ({ TOKEN: tokens[stage] ?? '' })
const named = (snippet: Snippet) => [`${snippet.guide}: ${snippet.code.split('\n')[0]}`, snippet] as const

const words = [
  [baseOf(defaultPractice), 'SANDBOX_BASE'],
  [fhirOrigin, 'FHIR_ORIGIN'],
] as const

function expectAsShown(snippet: Snippet, answer: { status: number; headers: Headers; text: string }) {
  const { guide: file, code: command } = snippet
  expectSample({ file, command, commands: commandsOf(file), words }, answer)
}

const runCurl = (snippet: Snippet, more: Record<string, string> = {}) =>
  runCommand(stack.app, placed(snippet), { ...variablesOf(snippet), ...more })

test.each(slice(commands, 12).map(named))('%s', async (_name, snippet) => {
  const { status, headers, text } = await runCurl(snippet)

  expect(text).toContain(snippet.expected)
  expect(status).toBe(snippet.status)
  expectAsShown(snippet, { status, headers, text })
})

test('the commands of the guide to Bulk Data are a run from the Group to the end', async () => {
  const more: Record<string, string> = {}
  const done: string[] = []
  for (const step of steps) {
    if (step.expected === 'manifest') {
      await stack.work()
      await stack.wait(more.STATUS_URL ?? '', tokens.system ?? '')
    }
    const { status, headers, text } = await runCurl(step, more)
    expect(status, `${step.expected}: ${text}`).toBe(step.status)
    done.push(step.expected)
    expectAsShown(step, { status, headers, text })
    if (step.expected === 'gr-all-patients') expect(text).toContain(step.expected)
    if (step.expected === 'kick-off') more.STATUS_URL = headers.get('content-location') ?? ''
    if (step.expected === 'poll') expect(headers.get('retry-after')).toMatch(/^\d+$/)
    if (step.expected === 'manifest') {
      const manifest = JSON.parse(text)
      expect(manifest.error).toEqual([])
      more.FILE_URL = manifest.output[0].url
    }
  }

  expect(done).toEqual(['gr-all-patients', 'kick-off', 'poll', 'manifest', 'file', 'cancel'])
})

test.each(programs.map(named))('%s', async (_name, snippet) => {
  const said = await runTypeScript(placed(snippet), {
    variables: variablesOf(snippet),
    fetch,
    // The export runs while the program waits.
    wait: async (seconds) => {
      await stack.work()
      stack.services.advance(seconds * 1000)
      await new Promise((resolve) => setImmediate(resolve))
    },
  })

  expect(said).toContain(snippet.expected)
})
