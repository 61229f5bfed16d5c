import { useLoaderData } from '@remix-run/react'
import { limits } from '../../server/contract/http/limits.ts'
import { retention, retentionWords } from '../../server/contract/portal/retention.ts'
import { stepUpMinutes } from '../../server/contract/portal/step-up.ts'
import { trustStatements } from '../../server/contract/portal/trust.ts'
import { agreementTimes, counterSignaturePolicy } from '../../server/contract/workflows/agreements.ts'
import { clockDays } from '../../server/contract/workflows/registration-workflow.ts'
import type { Services } from '../../server/services.ts'
import { Cell, DataTable, Row } from '../components/ui/list.tsx'
import { Card, PageHeader } from '../components/ui/page-parts.tsx'
import { counted } from '../lib/dates.ts'
import { page } from '../services.server.ts'
import { getOps } from './ops.server.ts'

export const meta = () => [{ title: 'Constants · Sandpiper' }]

export const loader = page(async (args) => {
  const { actor } = await getOps(args)
  await args.context.services.operations.requireOps(actor)
  return { groups: readConstants(args.context.services) }
})

export default function Constants() {
  const { groups } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Constants">
        The settings and limits in effect. They change only with the server’s environment or a new release.
      </PageHeader>
      {groups.map(({ title, constants }, place) => (
        <Card key={title} id={`group-${place}`} title={title}>
          <DataTable label={title} heads={['Setting', 'Value', 'Source']}>
            {constants.map(({ name, value, about, from }) => (
              <Row key={name}>
                <Cell>
                  {name}
                  <span className="sub">{about}</span>
                </Cell>
                <Cell label="Value">{value}</Cell>
                <Cell label="Source">
                  <code className="breaks">{from}</code>
                </Cell>
              </Row>
            ))}
          </DataTable>
        </Card>
      ))}
    </>
  )
}

/** A setting or limit in effect. It cannot be changed here: `from` says where it comes from. */
type Constant = { name: string; value: string; about: string; from: string }
type ConstantGroup = { title: string; constants: Constant[] }

const onOff = (on: boolean) => (on ? 'On' : 'Off')

const fromEnv = (name: string, value: string, about: string): Constant => ({
  name,
  value,
  about,
  from: `environment, ${name}`,
})

const fromContract = (name: string, value: string, about: string, file: string): Constant => ({
  name,
  value,
  about,
  from: `contract, ${file}`,
})

/** Secret values and internal addresses of the environment are shown only as on or off. */
function readConstants({ env }: Pick<Services, 'env'>): ConstantGroup[] {
  return [
    {
      title: 'Public claims',
      constants: trustStatements.map(({ title, state, text }) =>
        fromContract(title, state.replaceAll('_', ' '), text, 'trust.ts'),
      ),
    },
    {
      title: 'Enabled in this process',
      constants: [
        fromEnv('DEMO', onOff(env.demoSignIns), 'Demonstration sign-ins, published with their passwords.'),
        fromEnv('ROLE', env.ROLE, 'Whether this process serves requests, runs jobs, or both.'),
        fromEnv(
          'REDIS_URL',
          onOff(env.REDIS_URL !== undefined),
          'Rate limits are shared with other processes.',
        ),
        fromEnv(
          'SMTP_URL',
          onOff(env.SMTP_URL !== undefined),
          'Emails are sent through a mail server. Otherwise, they wait or go to the mailbox page.',
        ),
        fromEnv(
          'INBOUND_SMTP_PORT',
          onOff(env.INBOUND_SMTP_PORT !== undefined),
          'People can request keys by email.',
        ),
        fromEnv('METRICS_TOKEN', onOff(env.METRICS_TOKEN !== undefined), '/metrics for Prometheus.'),
      ],
    },
    {
      title: 'Deadlines',
      constants: [
        fromEnv('BUSINESS_TZ', env.BUSINESS_TZ, 'Time zone of business days.'),
        fromContract(
          'Decision on a request',
          counted(clockDays.promise, 'business day'),
          'From a complete request to a decision and the enabled app. Pauses while the developer must answer.',
          'registration-workflow.ts',
        ),
        fromContract(
          'Authenticity',
          counted(clockDays.authenticity, 'business day'),
          'Verification of the organization. Never pauses.',
          'registration-workflow.ts',
        ),
        fromContract(
          'Enablement',
          counted(clockDays.enablement, 'business day'),
          'From verification to the enabled app. Never pauses.',
          'registration-workflow.ts',
        ),
        fromContract(
          'Step-up',
          counted(stepUpMinutes, 'minute'),
          'How long a confirmed password counts.',
          'step-up.ts',
        ),
        fromContract(
          'Counter-signature',
          counterSignaturePolicy,
          'Whether usage agreements are countersigned automatically or by a person.',
          'agreements.ts',
        ),
        fromContract(
          'Agreements are kept',
          counted(agreementTimes.retentionYears, 'year'),
          'After the last day in force.',
          'agreements.ts',
        ),
      ],
    },
    {
      title: 'Keys',
      constants: [
        fromContract('Sandbox key lifetime', counted(limits.keyDays, 'day'), 'From the claim.', 'limits.ts'),
        fromContract(
          'Claim link lifetime',
          counted(limits.claimLinkHours, 'hour'),
          'Then a new link is needed.',
          'limits.ts',
        ),
        fromContract(
          'Maximum sandbox keys',
          `${limits.sandboxKeysPerOrganization}`,
          'Per organization.',
          'limits.ts',
        ),
      ],
    },
    {
      title: 'Data retention',
      constants: Object.values(retention).map((row) =>
        fromContract(row.what, retentionWords(row), `From ${row.from}. ${row.why}`, 'retention.ts'),
      ),
    },
  ]
}
