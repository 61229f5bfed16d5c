/**
 * Emails about new days of the changelog: one per subscriber and day, however often and wherever the job runs. A day is
 * mailed when it is over, since lines may be added to it until then.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChangelogDay, changesOf, parseChangelog } from '../../contract/text/changelog.ts'
import { rootDir } from '../../root-dir.ts'
import type { Core } from '../core.ts'
import { onceId } from './notices.ts'
import { listSubscribers, manageLink } from './subscriptions.ts'

const pageSize = 200
const changesMax = 30

let published: ChangelogDay[] | undefined
const readChangelog = () => {
  published ??= parseChangelog(readFileSync(join(rootDir, 'server/contract/CHANGELOG.md'), 'utf8'))
  return published
}

/**
 * Tick. A new installation begins with what it has: nobody is emailed about the past.
 * @returns how many emails were asked for
 */
export async function mailChangelog(
  core: Core,
  now: Date,
  days: readonly ChangelogDay[] = readChangelog(),
): Promise<number> {
  const { prisma } = core
  const today = now.toISOString().slice(0, 10)
  const newest = await prisma.changelogDay.findFirst({ orderBy: { day: 'desc' } })
  const fresh = days.filter(({ date }) => date < today && (newest === null || date > newest.day))
  if (fresh.length > 0)
    await prisma.changelogDay.createMany({
      data: fresh.map(({ date }) => ({ day: date, seenAt: now, mailedAt: newest === null ? now : null })),
      skipDuplicates: true,
    })
  let mailed = 0
  const waiting = await prisma.changelogDay.findMany({ where: { mailedAt: null }, orderBy: { day: 'asc' } })
  for (const { day, seenAt } of waiting) {
    const entry = days.find(({ date }) => date === day)
    if (entry) mailed += await mailDay(core, entry, seenAt)
    // Only now: a process that dies before it leaves the day to the next run.
    await prisma.changelogDay.updateMany({ where: { day, mailedAt: null }, data: { mailedAt: now } })
  }
  return mailed
}

/** @param seenAt who confirmed later knows the day from the page */
async function mailDay(core: Core, entry: ChangelogDay, seenAt: Date): Promise<number> {
  const all = changesOf(entry)
  if (all.length === 0) return 0
  const changes = all.slice(0, changesMax).map(({ subject, change }) => ({
    subject: (subject || 'Changes').slice(0, 200),
    change: change.slice(0, 600),
  }))
  let mailed = 0
  let after: string | undefined
  do {
    const page = await listSubscribers(core, 'changelog', after, pageSize)
    after = page.length === pageSize ? page.at(-1)?.id : undefined
    await core.prisma.$transaction(async (tx) => {
      for (const each of page) {
        const manageUrl = manageLink(core, each)
        if (manageUrl === null || (each.confirmedAt ?? seenAt) > seenAt) continue
        await core.mail.enqueue(tx, {
          template: 'changelog-day',
          to: each.email,
          props: { day: entry.date, changes, more: all.length - changes.length },
          links: { manageUrl },
          id: onceId(`changelog ${entry.date}`, each.id),
        })
        mailed += 1
      }
    })
  } while (after !== undefined)
  return mailed
}
