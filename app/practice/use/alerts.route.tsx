import { Link, useLoaderData } from '@remix-run/react'
import { alertForms, alertRules } from '../../../server/contract/portal/access-alerts.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { BellRing } from '../../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row, SearchedList } from '../../components/ui/list.tsx'
import { Card, LinkButton, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { recordDate } from '../../lib/dates.ts'
import { runAction } from '../../lib/submission.server.ts'
import { here, page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'

export const meta = () => [{ title: 'Alerts · Sandpiper' }]

export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  return {
    practice: { slug: practice.slug, name: practice.name },
    listed: await args.context.services.accessAlerts.list({ practiceId: practice.id, ask }, actor),
    onceKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const { accessAlerts } = args.context.services
  return runAction(
    args,
    { acknowledge: alertForms.acknowledge },
    {
      acknowledge: ({ alert }) =>
        accessAlerts.acknowledge({ practiceId: practice.id, alertId: alert }, actor),
    },
    { to: () => ({ path: here(args.request), done: 'alert_checked' }) },
  )
})

export default function PracticeAlerts() {
  const { practice, listed, onceKey } = useLoaderData<typeof loader>()
  const query = `?${new URLSearchParams({ practice: practice.slug })}`
  return (
    <>
      <PageHeader
        title="Alerts"
        action={<LinkButton to={`${paths.practiceAlertSettings}${query}`}>Alert settings</LinkButton>}
      >
        Unusual activity of keys and apps at {practice.name}, compared with the last 30 days. Each alert has
        the figures that were compared.
      </PageHeader>
      <Refusal />
      <SearchedList
        listed={listed}
        search="Key, app or organization"
        one="alert"
        icon={BellRing}
        title="No alerts"
        empty="The last two days are looked at every 15 minutes. Alerts are listed here and emailed to the admins."
      >
        <Card title="Alerts">
          <DataTable label="Alerts" heads={['Alert', 'Key or app', 'Day (UTC)', 'Checked']} act="Actions">
            {listed.rows.map((alert) => (
              <Row key={alert.id}>
                <Cell>
                  <span className="label">{alertRules[alert.rule].label}</span>
                  <span className="sub breaks">{alert.explanation}</span>
                </Cell>
                <Cell label="Key or app">
                  <Link to={`${paths.practiceUseOf(alert.kind, alert.subjectId)}${query}`}>{alert.name}</Link>
                  <span className="sub">{alert.organizationName}</span>
                </Cell>
                <Cell label="Day (UTC)" className="nowrap">
                  {recordDate(alert.day)}
                </Cell>
                <Cell label="Checked">
                  {alert.checkedAt ? (
                    <>
                      <Moment at={alert.checkedAt} />
                      <span className="sub">{alert.checkedBy ?? 'Deleted account'}</span>
                    </>
                  ) : (
                    'Not yet'
                  )}
                </Cell>
                <Cell className="act">
                  {!alert.checkedAt && (
                    <ActionForm
                      className="inline"
                      intent="acknowledge"
                      row={{ name: 'alert', id: alert.id }}
                      version={0}
                      onceKey={`${onceKey}-${alert.id.slice(-6)}`}
                      size="sm"
                      button="Mark as checked"
                      about={`${alertRules[alert.rule].label}, ${alert.name}`}
                    />
                  )}
                </Cell>
              </Row>
            ))}
          </DataTable>
          <Pager label="alerts" listed={listed} />
        </Card>
      </SearchedList>
    </>
  )
}
