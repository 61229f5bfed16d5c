/** A stack that begins as `npm start` begins, with a month of history, and browsers of the people in it. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readDemoPassword } from '../../seed/demo-people.ts'
import { organizations, who } from '../../seed/month/people.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { test as base, testServer } from './journey.ts'
import type { Role } from './portal-pages.ts'
import { developmentKey, startStack } from './stack.ts'

type DemonstrationFixtures = {
  /** Where the server keeps its files. */
  folder: string
}

/** The only stack with a history: what it has would be counted in the other journeys. */
export const test = base.extend<object, DemonstrationFixtures>({
  folder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to learn what a fixture needs
    async ({}, use, { project, workerIndex }) => use(join(project.outputDir, `demonstration-${workerIndex}`)),
    { scope: 'worker' },
  ],
  stack: [
    async ({ folder }, use) => {
      // Without a mail server its emails go to the mailbox page, as on a laptop.
      const environment = { SMTP_URL: '' }
      const stack = await startStack(testServer(), folder, { history: true, environment })
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

/** Who of the demonstration has a role; of developers, the owner of the organization. */
function personOf(role: Exclude<Role, 'visitor'>, organization: string) {
  const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')
  const own = Object.values(organizations).find(({ name }) => slugOf(name) === organization)
  return {
    developer: { email: who[own?.owner ?? 'dana'], at: paths.signIn },
    practice: { email: who.theo, at: paths.practiceSignIn },
    reviewer: { email: who.rhea, at: paths.staffSignIn },
    operations: { email: who.olu, at: paths.staffSignIn },
    patient: { email: 'wren.testwell@people.example', at: paths.patientSignIn },
  }[role]
}

/** Signs a browser in without opening a page: staff at the tour, which asks for no second step, others by password. */
export async function enterDemonstration(
  page: Page,
  { role, organization }: { role: Role; organization: string },
  folder: string,
): Promise<void> {
  await page.request.get(`${paths.tour}?key=${developmentKey}`)
  if (role === 'visitor') return
  const { email, at } = personOf(role, organization)
  const form: Record<string, string> =
    role === 'reviewer' || role === 'operations' || role === 'practice'
      ? { person: role }
      : { email, password: (await readDemoPassword(folder)) ?? '' }
  const { origin } = new URL((await page.request.get('/healthz')).url())
  const path = 'person' in form ? paths.tour : at
  const answer = await page.request.post(path, { form, headers: { origin }, maxRedirects: 0 })
  if (answer.status() !== 302) throw new Error(`${role} was not signed in: ${answer.status()}`)
}
