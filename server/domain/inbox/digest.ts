/** The inbox by email, once a day: from eight o'clock in the reader's zone, to those who have something to do and did not turn it off. */
import { Prisma } from '../../../prisma/generated/client/client.ts'
import { digestHours, digestLinkDays } from '../../contract/forms/inbox.ts'
import { Problem } from '../../contract/http/problems.ts'
import { firstPage } from '../../contract/portal/paging.ts'
import { paths } from '../../contract/portal/paths.ts'
import { dateIn } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import type { LinkState } from '../link-tokens/link-tokens.ts'
import * as linkTokens from '../link-tokens/link-tokens.ts'
import type { Reader } from './entry.ts'
import { list } from './inbox-read.ts'

const kind = 'stop_inbox_digest' as const
const peopleAtOnce = 200
const firstMax = 10
const titleMax = 200

const pageOf = { developer: '/inbox', practice: '/practice/inbox', staff: '/staff/inbox' } as const

type Recipient = Readonly<{
  id: string
  name: string
  email: string
  realm: keyof typeof pageOf
  zone: string
}>

/**
 * Tick. Reviewers have the email of their queue instead. An account gets its first digest on the day after it was made.
 * @returns how many were sent
 */
export async function sendDigests(core: Core, now: Date): Promise<number> {
  const office = core.env.BUSINESS_TZ
  const here = Prisma.sql`(${now}::timestamptz AT TIME ZONE coalesce(s.time_zone, ${office}))`
  const recipients = await core.prisma.$queryRaw<Recipient[]>`
    SELECT a.id, a.name, a.email, a.realm, coalesce(s.time_zone, ${office}) AS zone
      FROM portal.account a LEFT JOIN portal.inbox_setting s ON s.account_id = a.id
     WHERE a.realm IN ('developer', 'practice', 'staff') AND a.disabled_at IS NULL
       AND a.sandbox_practice_id IS NULL AND a.staff_role IS DISTINCT FROM 'reviewer'
       AND (a.staff_role IS NOT NULL
            OR EXISTS (SELECT 1 FROM portal.membership m WHERE m.account_id = a.id)
            OR EXISTS (SELECT 1 FROM portal.practice_membership m WHERE m.account_id = a.id))
       AND coalesce(s.digest, true)
       AND extract(hour FROM ${here}) BETWEEN ${digestHours.from} AND ${digestHours.until - 1}
       AND (a.created_at AT TIME ZONE coalesce(s.time_zone, ${office}))::date < ${here}::date
       AND s.digest_on IS DISTINCT FROM to_char(${here}, 'YYYY-MM-DD')
     ORDER BY a.id LIMIT ${peopleAtOnce}`
  let sent = 0
  for (const recipient of recipients) if (await sendDigest(core, recipient, now)) sent += 1
  return sent
}

async function sendDigest(core: Core, { id, name, email, realm, zone }: Recipient, now: Date) {
  const { prisma, mail } = core
  const today = dateIn(zone, now)
  const { total, rows } = await list(core, { ask: firstPage }, { accountId: id })
  return prisma.$transaction(async (tx) => {
    // One worker writes the day; for another at the same moment the condition does not hold any more.
    const taken = await tx.$executeRaw`
      INSERT INTO portal.inbox_setting (account_id, digest_on) VALUES (${id}::uuid, ${today})
      ON CONFLICT (account_id) DO UPDATE SET digest_on = EXCLUDED.digest_on
       WHERE inbox_setting.digest AND inbox_setting.digest_on IS DISTINCT FROM EXCLUDED.digest_on`
    if (taken === 0 || total === 0) return false
    const expiresAt = new Date(now.getTime() + digestLinkDays * 86_400_000)
    const token = await linkTokens.issue(core, tx, { kind, accountId: id, expiresAt, now, keepEarlier: true })
    await mail.enqueue(tx, {
      template: 'inbox-digest',
      to: email,
      props: {
        name,
        total,
        overdue: rows.filter(({ dueAt }) => dueAt !== null && dueAt < now).length,
        first: rows.slice(0, firstMax).map(({ title, dueAt }) => ({
          title: title.slice(0, titleMax),
          dueAt: dueAt?.toISOString() ?? null,
        })),
        page: pageOf[realm],
        requestId: today,
      },
      links: { manageUrl: paths.stopInboxDigest(token) },
    })
    return true
  })
}

/** What the link of an email is worth; reading changes nothing. */
export async function findDigestLink(core: Core, token: string): Promise<LinkState['kind']> {
  return (await linkTokens.check(core, token, kind)).kind
}

/** Turns the email off, by its link. */
export async function stopDigest(core: Core, token: string): Promise<LinkState['kind']> {
  return core.prisma.$transaction(async (tx) => {
    const state = await linkTokens.consume(core, tx, token, kind)
    if (state.kind === 'live' && state.link.accountId)
      await tx.inboxSetting.upsert({
        where: { accountId: state.link.accountId },
        create: { accountId: state.link.accountId, digest: false },
        update: { digest: false },
      })
    return state.kind
  })
}

/** Null as the zone: the office's. */
export async function readSettings({ prisma, env }: Core, _: object, { accountId }: Reader) {
  const row = await prisma.inboxSetting.findUnique({ where: { accountId } })
  return { digest: row?.digest ?? true, timeZone: row?.timeZone ?? null, officeZone: env.BUSINESS_TZ }
}

/** @throws Problem `validation` for a zone that the database does not know */
export async function saveSettings(
  { prisma }: Core,
  { digest, timeZone }: { digest: boolean; timeZone: string },
  { accountId }: Reader,
): Promise<void> {
  const known = await prisma.$queryRaw<unknown[]>`SELECT 1 FROM pg_timezone_names WHERE name = ${timeZone}`
  if (known.length === 0)
    throw new Problem('validation', { field: 'timeZone', message: 'Choose a time zone.' })
  await prisma.inboxSetting.upsert({
    where: { accountId },
    create: { accountId, digest, timeZone },
    update: { digest, timeZone },
  })
}
