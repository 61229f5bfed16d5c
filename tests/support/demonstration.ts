/** A stack with the month of sample history that `npm start` creates, and sign-ins of the people in it. */
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readDemoPassword } from '../../seed/demo-people.ts'
import { who as emails, organizations } from '../../seed/month/people.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { test as base, testServer } from './journey.ts'
import type { Role } from './portal-pages.ts'
import { developmentKey, startStack } from './stack.ts'

type DemonstrationFixtures = {
  /** Where the server keeps its files. */
  folder: string
}

/** Other journeys use a stack without history, because its records would change their counts. */
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

/** The demonstration's person for a role, and where they sign in. A developer is the organization's owner. */
function personOf(role: Exclude<Role, 'visitor'>, organization: string) {
  const slugOf = (name: string) => name.toLowerCase().replaceAll(' ', '-')
  const own = Object.values(organizations).find(({ name }) => slugOf(name) === organization)
  return {
    developer: { email: emails[own?.owner ?? 'dana'], signInPath: paths.signIn },
    practice: { email: emails.theo, signInPath: paths.practiceSignIn },
    reviewer: { email: emails.rhea, signInPath: paths.staffSignIn },
    operations: { email: emails.olu, signInPath: paths.staffSignIn },
    patient: { email: 'wren.testwell@people.example', signInPath: paths.patientSignIn },
  }[role]
}

/** Signs in without opening a page: developers and patients by password, others by the tour, which needs no second step. */
export async function enterDemonstration(
  page: Page,
  { role, organization }: { role: Role; organization: string },
  folder: string,
): Promise<void> {
  await page.request.get(`${paths.tour}?key=${developmentKey}`)
  if (role === 'visitor') return
  const { email, signInPath } = personOf(role, organization)
  const form: Record<string, string> =
    role === 'reviewer' || role === 'operations' || role === 'practice'
      ? { person: role }
      : { email, password: (await readDemoPassword(folder)) ?? '' }
  const { origin } = new URL((await page.request.get('/healthz')).url())
  const path = 'person' in form ? paths.tour : signInPath
  const answer = await page.request.post(path, { form, headers: { origin }, maxRedirects: 0 })
  if (answer.status() !== 302) throw new Error(`${role} was not signed in: ${answer.status()}`)
}
