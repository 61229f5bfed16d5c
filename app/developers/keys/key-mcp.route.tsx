import { Link, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { mcpWritesForm } from '../../../server/contract/forms/keys.ts'
import { listTools } from '../../../server/contract/mcp/list.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { ContractForm } from '../../components/ui/form.tsx'
import { LinkButton, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { mcpAddress } from '../../lib/api-base.server.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { confirmPasswordPath, findKeyStepUp, getOrganization, page } from '../../services.server.ts'
import { ConfirmButton } from '../../shared/sign-in/confirm-first.tsx'
import { getKey } from './keys.server.ts'

export const meta = () => [{ title: 'AI assistants · Sandpiper' }]
export const handle = { here: 'Keys / AI assistants' }

export const loader = page(async (args) => {
  const { key, session, organization } = await getKey(args)
  if (!key.mayRevoke) throw data({ message: undefined }, { status: 403 })
  return {
    self: paths.organizationKey(organization.slug, key.id),
    name: key.name,
    level: key.level,
    on: key.mcpWrites,
    address: mcpAddress(args.context, key.environment),
    writeTools: listTools({ writes: true })
      .filter(({ annotations }) => !annotations.readOnlyHint)
      .map(({ name, title }) => ({ name, title })),
    confirmPassword: findKeyStepUp(args, session, key.environment),
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  return runForm(args.request, mcpWritesForm, async (value) => {
    const keyId = args.params.key ?? ''
    const on = value.writes === 'on'
    const answer = await args.context.services.keys.setMcpWrites({ keyId, on }, actor)
    if (answer.kind === 'step_up_needed') throw redirect(confirmPasswordPath(args))
    return goOn(
      paths.organizationKey(organization.slug, keyId),
      on ? 'key_mcp_writes_on' : 'key_mcp_writes_off',
    )
  })
})

function accessText(level: 'read_only' | 'full', on: boolean): string {
  if (level !== 'full')
    return 'This key is read-only, so assistants can’t write with it. With a full key, they could:'
  return on
    ? 'Assistants with this key can write without asking. They have these tools:'
    : 'Assistants with this key can only read. Enable writes only for assistants whose calls someone supervises:'
}

export default function KeyMcp() {
  const { self, name, level, on, address, writeTools, confirmPassword } = useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <PageHeader title={`AI assistants and “${name}”`}>
        You can use every key with the MCP server. An assistant with the key can read the practice’s records.{' '}
        <Link to={paths.mcpGuide}>How to connect one</Link>
      </PageHeader>
      <CodeBlock label="MCP server URL" bar="MCP server" copy={address} wrapped>
        {address}
      </CodeBlock>
      <ContractForm
        labels={{ writes: 'Write access' }}
        hidden={{ writes: on ? 'off' : 'on' }}
        button={
          level !== 'full' ? null : !on && confirmPassword ? (
            <ConfirmButton to={confirmPassword} />
          ) : on ? (
            'Disable writes'
          ) : (
            'Enable writes'
          )
        }
        busy="Saving"
        leave={
          <LinkButton look="plain" to={self}>
            Back to the key
          </LinkButton>
        }
      >
        <div className="stack">
          <h2>
            Write access <Tag tone={on ? 'turn' : 'quiet'}>{on ? 'On' : 'Off'}</Tag>
          </h2>
          <p>{accessText(level, on)}</p>
          <ul>
            {writeTools.map((tool) => (
              <li key={tool.name}>
                {tool.title} (<code>{tool.name}</code>)
              </li>
            ))}
          </ul>
          <p className="small muted">A change applies from the next call and is logged.</p>
        </div>
      </ContractForm>
    </div>
  )
}
