/** Whether the practice lets an app in, with the base that would: a newcomer's app is refused at the demonstration. */
import type { Client, PrismaClient } from '../../prisma/generated/client/client.ts'
import { isProblem } from '../contract/http/problems.ts'
import { refusalOf, refuse } from '../contract/smart/oauth-errors.ts'
import { checkClientAtPractice, findOwnSandbox } from '../domain/clients/client-at-practice.ts'
import type { SmartAddresses } from '../domain/grants/smart-addresses.ts'
import type { SmartPractice } from '../domain/practices/fhir-access.ts'

type Dependencies = { prisma: PrismaClient; addresses: Pick<SmartAddresses, 'fhirBase'> }

/**
 * For an app that has shown a redirect URI of its own, or has proven who it is: nobody else hears of its sandbox.
 * @throws Problem `client_not_at_practice`
 */
export async function requireAppAtPractice(
  { prisma, addresses }: Dependencies,
  client: Client,
  practice: SmartPractice,
): Promise<void> {
  try {
    await checkClientAtPractice(prisma, client, practice)
  } catch (thrown) {
    const isElsewhere = isProblem(thrown) && refusalOf(thrown) === 'client_not_at_practice'
    const slug = isElsewhere ? await findOwnSandbox(prisma, client) : null
    if (slug === null) throw thrown
    throw refuse('client_not_at_practice', {
      hint: `This app works at this FHIR base: ${addresses.fhirBase(slug)}`,
    })
  }
}
