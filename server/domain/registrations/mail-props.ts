/** What the mails about a registration are filled with, and whom they go to. */
import type { MailProps } from '../../../emails/registry.ts'
import type { Prisma, Registration } from '../../../prisma/generated/client/client.ts'
import { type RegistrationKind, registrationKinds } from '../../contract/registration-workflow.ts'
import { findKeyReaders } from '../keys/owned-key.ts'

export type Reader = Readonly<{ name: string; email: string }>
export type About = Pick<
  MailProps<'registration-received'>,
  'name' | 'appName' | 'kindName' | 'organizationSlug' | 'requestId'
>

/** Whoever made the request while a member, else the owners of the organization. */
export async function findReaders(
  tx: Prisma.TransactionClient,
  { organizationId, createdById }: Pick<Registration, 'organizationId' | 'createdById'>,
): Promise<readonly Reader[]> {
  return findKeyReaders(tx, { organizationId, createdById })
}

export async function findOwners(
  tx: Prisma.TransactionClient,
  { organizationId }: Pick<Registration, 'organizationId'>,
): Promise<readonly Reader[]> {
  const owners = await tx.membership.findMany({
    where: { organizationId, role: 'owner', account: { disabledAt: null } },
    select: { account: { select: { name: true, email: true } } },
  })
  return owners.map(({ account }) => account)
}

/** The author of an app's name, for emails to other people. */
export async function organizationNameOf(
  tx: Prisma.TransactionClient,
  { organizationId }: Pick<Registration, 'organizationId'>,
): Promise<string> {
  return (await tx.organization.findUniqueOrThrow({ where: { id: organizationId } })).name
}

/** What every mail to the developers says of the request. */
export async function aboutOf(
  tx: Prisma.TransactionClient,
  row: Pick<Registration, 'id' | 'name' | 'kind' | 'organizationId'>,
): Promise<(reader: Reader) => About> {
  const { slug } = await tx.organization.findUniqueOrThrow({
    where: { id: row.organizationId },
    select: { slug: true },
  })
  return ({ name }) => ({
    name,
    appName: row.name || 'An app without a name',
    kindName: registrationKinds[row.kind as RegistrationKind],
    organizationSlug: slug,
    requestId: row.id,
  })
}
