/** Networks of callers, and what a practice calls them. Only the first 24 bits of IPv4 and 48 of IPv6 are kept. */
import { isIP } from 'node:net'
import { Problem } from '../../contract/http/problems.ts'
import { networksMax } from '../../contract/portal/access-use.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'
import { checkText } from '../text-scan/check-text.ts'

export type KnownNetwork = Readonly<{ network: string; label: string; country: string | null }>

type NetworkInput = Readonly<{ practiceId: string; network: string }>

export async function findNetworks({ prisma }: Pick<Core, 'prisma'>, practiceId: string) {
  const rows = await prisma.practiceNetwork.findMany({
    where: { practiceId },
    select: { network: true, label: true, country: true },
    orderBy: { network: 'asc' },
  })
  return new Map(rows.map((row) => [row.network, row]))
}

/** @throws Problem `not_found`, `forbidden` for who is no admin there, `validation`, `conflict` when there are too many */
export async function nameNetwork(
  core: Core,
  { practiceId, label, country, network: text }: NetworkInput & Readonly<{ label: string; country: string }>,
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  checkText('label', label, actor)
  const network = await toNetwork(core, text)
  const named = { label, country: country === '' ? null : country }
  await prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM portal.practice WHERE id = ${practiceId}::uuid FOR NO KEY UPDATE`
    const place = { practiceId_network: { practiceId, network } }
    if (
      (await tx.practiceNetwork.findUnique({ where: place })) === null &&
      (await tx.practiceNetwork.count({ where: { practiceId } })) >= networksMax
    )
      throw new Problem('conflict', { message: `Remove a network first. ${networksMax} can have a name.` })
    await tx.practiceNetwork.upsert({
      where: place,
      create: { practiceId, network, ...named, createdAt: clock() },
      update: named,
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'practice.network_named',
      subject: { kind: 'practice', id: practiceId },
      detail: { network, ...named },
    })
  })
}

/** @throws Problem as `nameNetwork`; forgetting twice is no error */
export async function forgetNetwork(
  { prisma, portalAudit }: Core,
  { practiceId, network }: NetworkInput,
  actor: Actor,
): Promise<void> {
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.practiceNetwork.deleteMany({ where: { practiceId, network } })
    if (count === 0) return
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'practice.network_forgotten',
      subject: { kind: 'practice', id: practiceId },
      detail: { network },
    })
  })
}

/** As the figures have it. */
async function toNetwork({ pool }: Pick<Core, 'pool'>, text: string): Promise<string> {
  const version = isIP(text.split('/')[0] ?? '')
  const bits = version === 4 ? 24 : 48
  if (version === 0 || !/^[^/%]+(?:\/\d{1,3})?$/.test(text))
    throw new Problem('validation', { field: 'network', message: 'Enter a network, such as 203.0.113.0/24.' })
  const [, written] = text.split('/')
  if (written !== undefined && Number(written) !== bits)
    throw new Problem('validation', {
      field: 'network',
      message: `Networks are counted as /${bits}. Enter an address, or a network with /${bits}.`,
    })
  const { rows } = await pool.query<{ network: string }>(
    'SELECT host(network(set_masklen($1::inet, $2))) AS network',
    [text.split('/')[0], bits],
  )
  return `${rows[0]?.network}/${bits}`
}
