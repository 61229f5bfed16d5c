/** What is on and which numbers hold, for operations to read. None is switched here: each says where it is. */

import { limits } from '../../../server/contract/http/limits.ts'
import { retention, retentionWords } from '../../../server/contract/portal/retention.ts'
import { stepUpMinutes } from '../../../server/contract/portal/step-up.ts'
import { trustStatements } from '../../../server/contract/portal/trust.ts'
import { agreementTimes, counterSignaturePolicy } from '../../../server/contract/workflows/agreements.ts'
import type { Services } from '../../../server/services.ts'
import { counted } from '../../lib/dates.ts'

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

/** Values of the environment that are secret, or lead somewhere inside, are told as set or not. */
export function readConstants({ env }: Pick<Services, 'env'>): ConstantGroup[] {
  return [
    {
      title: 'What we may claim',
      constants: trustStatements.map(({ title, state, text }) =>
        fromContract(title, state.replaceAll('_', ' '), text, 'trust.ts'),
      ),
    },
    {
      title: 'What is on in this process',
      constants: [
        fromEnv('DEMO', onOff(env.demoSignIns), 'Demonstration sign-ins, published with their passwords.'),
        fromEnv('ROLE', env.ROLE, 'Requests, jobs, or both.'),
        fromEnv(
          'REDIS_URL',
          onOff(env.REDIS_URL !== undefined),
          'Limits are counted together with other processes.',
        ),
        fromEnv(
          'SMTP_URL',
          onOff(env.SMTP_URL !== undefined),
          'Mail leaves by a mail server; else it waits or lies here.',
        ),
        fromEnv(
          'INBOUND_SMTP_PORT',
          onOff(env.INBOUND_SMTP_PORT !== undefined),
          'Keys may be asked for by mail.',
        ),
        fromEnv('METRICS_TOKEN', onOff(env.METRICS_TOKEN !== undefined), '/metrics for Prometheus.'),
        fromEnv('EXPORT_GZIP', onOff(env.EXPORT_GZIP), 'Files of bulk exports are compressed on disk.'),
      ],
    },
    {
      title: 'Clocks and promises',
      constants: [
        fromEnv('BUSINESS_TZ', env.BUSINESS_TZ, 'Zone in which business days are counted.'),
        fromEnv(
          'PROMISE_BUSINESS_DAYS',
          `${env.PROMISE_BUSINESS_DAYS}`,
          'A complete request is decided and enabled. Pauses while the developer holds it.',
        ),
        fromEnv(
          'AUTHENTICITY_BUSINESS_DAYS',
          `${env.AUTHENTICITY_BUSINESS_DAYS}`,
          'It is decided who asks. Never pauses.',
        ),
        fromEnv(
          'ENABLEMENT_BUSINESS_DAYS',
          `${env.ENABLEMENT_BUSINESS_DAYS}`,
          'From that to enabled. Never pauses.',
        ),
        fromContract(
          'Step-up',
          counted(stepUpMinutes, 'minute'),
          'A proof this old still counts.',
          'step-up.ts',
        ),
        fromContract(
          'Counter-signature',
          counterSignaturePolicy,
          'Whether we sign usage agreements at once, or a person does.',
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
        fromContract('A sandbox key lasts', counted(limits.keyDays, 'day'), 'From its reveal.', 'limits.ts'),
        fromContract(
          'A claim link lives',
          counted(limits.claimLinkHours, 'hour'),
          'Then it is asked for again.',
          'limits.ts',
        ),
        fromContract(
          'Sandbox keys at a time',
          `${limits.sandboxKeysPerOrganization}`,
          'Of one organization.',
          'limits.ts',
        ),
      ],
    },
    {
      title: 'How long what is kept',
      constants: Object.values(retention).map((row) =>
        fromContract(row.what, retentionWords(row), `From ${row.from}. ${row.why}`, 'retention.ts'),
      ),
    },
  ]
}
