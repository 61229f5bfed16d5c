/** Looks at the days that are not over, and at those just over, and alerts practices of what is unusual. */
import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { type AlertSettings, alertRules } from '../../contract/portal/access-alerts.ts'
import { useDays } from '../../contract/portal/access-use.ts'
import { addDays } from '../business-days/calendar-date.ts'
import type { Core } from '../core.ts'
import { judge } from './alert-rules.ts'
import { findSettings } from './alert-settings.ts'
import { countNow } from './count-days.ts'
import { type Figures, subjectKey, type UseDay } from './figures.ts'
import { findNetworks } from './networks.ts'
import { nameSubjects } from './subjects.ts'

type NewAlert = Omit<Prisma.AccessAlertCreateManyInput, 'id' | 'createdAt'> & { id: string; createdAt: Date }

/** In an email; the page has all of them. */
const emailedMax = 20

/** Yesterday too: its last hours came after the last look. An alert is raised once. @returns how many are new */
export async function raiseAlerts(core: Core): Promise<number> {
  const current = await countNow(core)
  const byPractice = new Map<string, UseDay[]>()
  for (const each of current)
    byPractice.set(each.practiceId, [...(byPractice.get(each.practiceId) ?? []), each])
  const settings = await findSettings(core, [...byPractice.keys()])
  let raised = 0
  for (const [practiceId, days] of byPractice) {
    const own = settings.get(practiceId)
    if (own) raised += await raiseFor(core, { practiceId, days, settings: own })
  }
  return raised
}

async function raiseFor(
  core: Core,
  {
    practiceId,
    days,
    settings,
  }: Readonly<{ practiceId: string; days: readonly UseDay[]; settings: AlertSettings }>,
): Promise<number> {
  const { prisma, clock } = core
  const subjects = [...new Map(days.map(({ subject }) => [subjectKey(subject), subject])).values()]
  const first = days.map(({ day }) => day).sort()[0] ?? ''
  const [names, networks, kept] = await Promise.all([
    nameSubjects(core, subjects),
    findNetworks(core, practiceId),
    prisma.accessDay.findMany({
      where: {
        practiceId,
        subjectId: { in: subjects.map(({ id }) => id) },
        day: { gte: new Date(`${addDays(first, -useDays)}T00:00:00Z`) },
      },
    }),
  ])
  const history = new Map<string, Map<string, Figures>>()
  const remember = (key: string, day: string, figures: Figures) =>
    history.set(key, (history.get(key) ?? new Map()).set(day, figures))
  for (const row of kept)
    remember(
      `${row.subjectKind} ${row.subjectId}`,
      row.day.toISOString().slice(0, 10),
      row.figures as unknown as Figures,
    )
  for (const { subject, day, figures } of days) remember(subjectKey(subject), day, figures)

  const found = days.flatMap(({ subject, day, figures }): NewAlert[] => {
    const key = subjectKey(subject)
    const named = names.get(key)
    if (!named || figures.calls === 0) return []
    const from = addDays(day, -useDays)
    const before = [...(history.get(key) ?? [])]
      .map(([of, own]) => ({ day: of, figures: own }))
      .filter((each) => each.day >= from && each.day < day && each.figures.calls > 0)
    const findings = judge(
      {
        ...{ today: { day, figures }, before, named: new Set(networks.keys()) },
        oneCaller: named.audience === 'key' || named.audience === 'backend',
      },
      settings,
    )
    return findings.map((finding) => ({
      ...{ id: randomUUID(), practiceId, ...finding, subjectKind: subject.kind, subjectId: subject.id },
      ...{ name: named.name, organizationName: named.organizationName, createdAt: clock() },
      day: new Date(`${day}T00:00:00Z`),
    }))
  })
  if (found.length === 0) return 0
  return prisma.$transaction(async (tx) => {
    const raised = await tx.accessAlert.createManyAndReturn({ data: found, skipDuplicates: true })
    if (raised.length > 0 && settings.byEmail) await notify(core, tx, practiceId, raised)
    return raised.length
  })
}

async function notify(
  core: Core,
  tx: Prisma.TransactionClient,
  practiceId: string,
  raised: readonly { rule: string; name: string; organizationName: string; day: Date; explanation: string }[],
): Promise<void> {
  const practice = await tx.practice.findUniqueOrThrow({ where: { id: practiceId } })
  const admins = await tx.practiceMembership.findMany({
    where: { practiceId, role: 'admin', account: { disabledAt: null } },
    select: { account: { select: { name: true, email: true } } },
    orderBy: { accountId: 'asc' },
  })
  for (const { account } of admins)
    await core.mail.enqueue(tx, {
      template: 'access-alerts',
      to: account.email,
      props: {
        name: account.name,
        practiceName: practice.name,
        practiceSlug: practice.slug,
        total: raised.length,
        alerts: raised.slice(0, emailedMax).map((alert) => ({
          keyName: alert.name,
          organizationName: alert.organizationName,
          rule: alertRules[alert.rule as keyof typeof alertRules].label,
          day: alert.day.toISOString().slice(0, 10),
          explanation: alert.explanation,
        })),
      },
      correlationId: randomUUID(),
    })
}
