/**
 * Every command that a reader runs with an own app or its tokens, run as a developer of a fresh organization runs it, at
 * their own sandbox. The other commands of the guides are in guide-snippets-rest and guide-snippets-fhir.
 */
import { expect, test } from 'vitest'
import { placeAddresses } from '../../app/docs/guides/addresses.ts'
import { restStack } from '../support/rest.ts'
import { type Answer, expectSample, runCommand, withoutTokens } from '../support/sample-responses.ts'
import { createLabs, type Lab } from '../support/sandbox-lab.ts'
import { smartSupport } from '../support/smart.ts'
import { commandsOf, type Snippet, snippets } from '../support/snippets.ts'

const origin = 'https://portal.example'
const stages = ['app', 'secret', 'backend']
const commands = snippets.filter(({ stage, language }) => language === 'sh' && stages.includes(stage))

const scope = 'openid fhirUser launch/patient offline_access patient/*.rs'
const labs = createLabs(() => stack)

const stack = await restStack()
const lab = await labs.makeLab()
const own = { scope, organizationId: lab.organizationId, everyPractice: false } as const
const smart = smartSupport(stack.services)
const { client } = await smart.createClient(own)
stack.services.advance(1_000)
const other = await smart.createClient({ ...own, authentication: 'client_secret_basic' })
const values = { clientId: client.clientId, secretId: other.client.clientId, secret: other.secret ?? '' }

/** A person's tokens for an app of the organization, new for every command. */
const personTokens = (clientId: string) =>
  smartSupport(stack.services).issueToken({ practice: lab.slug, scope, client: { clientId } })

/** What the reader has exported before the command. */
async function variablesOf({ stage }: Snippet, at: Lab): Promise<Record<string, string>> {
  if (stage === 'backend') return { TOKEN: await at.systemToken() }
  const { access_token, refresh_token = '' } = await personTokens(
    stage === 'app' ? values.clientId : values.secretId,
  )
  return { TOKEN: access_token, REFRESH_TOKEN: refresh_token, CLIENT_SECRET: values.secret }
}

function place({ code, stage }: Snippet, at: Lab): string {
  const clientId = stage === 'secret' ? values.secretId : values.clientId
  const own = { base: stack.services.addresses.fhirBase(at.slug), clientId, redirectUri: null }
  return placeAddresses(code, { portal: origin, rest: origin, fhir: origin, own })
}

/** What the terminal shows: with `-i`, the status and the headers as well. */
async function run(snippet: Snippet): Promise<{ status: number; said: string }> {
  // One export runs at a time in a practice, so each has a practice of its own.
  const at = snippet.stage === 'backend' ? await labs.makeLab() : lab
  const variables = await variablesOf(snippet, at)
  const command = place(snippet, at)
  const answer = await runCommand(stack.app, command, variables)
  const { text } = answer
  expectAsShown(snippet, at, { ...answer, text: withoutTokens(text) })
  const shownHeaders = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  return { status: answer.status, said: / -i\b/.test(command) ? `${shownHeaders}\n\n${text}` : text }
}

function expectAsShown(snippet: Snippet, at: Lab, answer: Answer): void {
  const { guide: file, code: command } = snippet
  const words = [
    [stack.services.addresses.fhirBase(at.slug), 'SANDBOX_BASE'],
    [values.clientId, 'APP_CLIENT_ID'],
    [values.secretId, 'APP_CLIENT_ID'],
    [origin, 'FHIR_ORIGIN'],
  ] as const
  expectSample({ file, command, commands: commandsOf(file), words }, answer)
}

test.each(commands.map((each) => [`${each.guide}: ${each.code.split('\n')[0]}`, each] as const))(
  '%s',
  async (_name, snippet) => {
    const { status, said } = await run(snippet)

    expect(said).toContain(snippet.expected)
    expect(status, said).toBe(snippet.status)
  },
)
