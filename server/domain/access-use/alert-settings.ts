/** The settings of a practice's alerts about the use of its keys and apps. */
import { Problem } from '../../contract/http/problems.ts'
import {
  type AlertRuleId,
  type AlertSettings,
  alertRuleIds,
  alertRules,
  defaultHours,
} from '../../contract/portal/access-alerts.ts'
import { withRetry } from '../../store/retry.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'

type SettingsInput = Readonly<{
  practiceId: string
  version: number
  /** The rules that are on. */
  alertsOn: readonly AlertRuleId[]
  byEmail: boolean
  opens: number
  closes: number
  officeDays: readonly number[]
  timeZone: string
}> &
  Readonly<Record<`threshold_${AlertRuleId}`, number>>

/** The settings by practice id, or the defaults for a practice that has not changed them. */
export async function findSettings(
  { prisma, env }: Pick<Core, 'prisma' | 'env'>,
  practiceIds: readonly string[],
): Promise<Map<string, AlertSettings>> {
  const rows = await prisma.practiceAlertSettings.findMany({
    where: { practiceId: { in: [...practiceIds] } },
  })
  const byId = new Map(rows.map((row) => [row.practiceId, row]))
  return new Map(
    practiceIds.map((practiceId) => {
      const row = byId.get(practiceId) ?? {
        ...{ version: 0, byEmail: true, zone: env.BUSINESS_TZ, rules: {} },
        ...defaultHours,
      }
      const set = row.rules as Partial<AlertSettings['rules']>
      const ruleOf = (id: AlertRuleId) => set[id] ?? { on: true, threshold: alertRules[id].threshold }
      return [
        practiceId,
        {
          ...{ version: row.version, byEmail: row.byEmail, zone: row.zone },
          ...{ opens: row.opens, closes: row.closes, days: row.days },
          rules: Object.fromEntries(alertRuleIds.map((id) => [id, ruleOf(id)])) as AlertSettings['rules'],
        },
      ]
    }),
  )
}

/** @throws Problem `not_found` unless the reader works there, `forbidden` unless they are an admin there */
export async function readSettings(
  core: Core,
  practiceId: string,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<AlertSettings> {
  await requirePracticeRole(core.prisma, { practiceId, accountId }, ['admin'])
  const settings = (await findSettings(core, [practiceId])).get(practiceId)
  if (!settings) throw new Problem('not_found')
  return settings
}

/** @throws Problem as `readSettings`, `forbidden` with the field `stepUp`, and `conflict` (changed meanwhile) */
export async function saveSettings(core: Core, input: SettingsInput, actor: Actor): Promise<void> {
  const { prisma, portalAudit, clock } = core
  const { practiceId, version } = input
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, ['admin'])
  requireStepUp(actor, clock())
  const rules = Object.fromEntries(
    alertRuleIds.map((id) => [id, { on: input.alertsOn.includes(id), threshold: input[`threshold_${id}`] }]),
  )
  const data = {
    ...{ rules, byEmail: input.byEmail, opens: input.opens, closes: input.closes },
    ...{ days: [...new Set(input.officeDays)].sort(), zone: input.timeZone, version: version + 1 },
  }
  await withRetry(prisma, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM portal.practice WHERE id = ${practiceId}::uuid FOR NO KEY UPDATE`
    const before = await tx.practiceAlertSettings.findUnique({ where: { practiceId } })
    if ((before?.version ?? 0) !== version)
      throw new Problem('conflict', {
        message: 'Someone changed the settings. Check the page again, then decide.',
      })
    await tx.practiceAlertSettings.upsert({
      where: { practiceId },
      create: { practiceId, ...data },
      update: data,
    })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'practice.alerts_changed',
      subject: { kind: 'practice', id: practiceId },
      detail: {
        rules,
        byEmail: data.byEmail,
        opens: data.opens,
        closes: data.closes,
        days: data.days,
        zone: data.zone,
      },
    })
  })
}
