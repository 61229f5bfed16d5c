import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { errorPage } from '../../server/contract/error-codes.ts'
import { limits } from '../../server/contract/limits.ts'
import { listTools } from '../../server/contract/mcp-list.ts'
import { mcpVersions } from '../../server/contract/mcp-operation.ts'
import { paths } from '../../server/contract/paths.ts'
import { mcpAddress } from '../api-base.server.ts'
import { PublicFrame } from '../components/frames/public-frame.tsx'
import { CodeBlock } from '../components/ui/code-block.tsx'
import { Tag } from '../components/ui/tag.tsx'
import { keyVariable, mcpClients } from '../mcp-clients.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'MCP server · Sandpiper' }]

export const loader = page(({ context }: LoaderFunctionArgs) => {
  const sandbox = mcpAddress(context, 'sandbox')
  return {
    sandbox,
    production: mcpAddress(context, 'production'),
    clients: mcpClients(sandbox),
    versions: mcpVersions,
    tools: listTools({ writes: true }).map(({ name, title, description, annotations }) => ({
      name,
      title,
      description: description.replaceAll('`', ''),
      writes: !annotations.readOnlyHint,
    })),
  }
})

export default function McpGuide() {
  const { sandbox, production, clients, versions, tools } = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap legal">
        <article className="prose">
          <h1>MCP server</h1>
          <p>
            The records of one practice as tools for AI assistants, over the Model Context Protocol. Any API
            key opens it; what the key may not read, the assistant may not read.
          </p>
          <CodeBlock label="Address of the MCP server in the sandbox" bar="Sandbox" copy={sandbox} wrapped>
            {sandbox}
          </CodeBlock>
          <p>
            Production keys: <code>{production}</code>. Streamable HTTP without sessions, answered as JSON;
            versions {versions.join(', ')}.
          </p>

          <h2 id="connect">Connect a client</h2>
          <p>
            Put the key into the environment variable <code>{keyVariable}</code>, on a machine that only you
            use, and never into a file of the project. A <Link to={paths.sandboxKeys}>sandbox key</Link>{' '}
            reaches synthetic patients only.
          </p>
        </article>
        <div className="grid g2">
          {clients.map(({ id, name, file, text, note }) => (
            <section key={id} className="card pad stack" aria-labelledby={id}>
              <h3 id={id}>{name}</h3>
              <CodeBlock label={`${name}: ${file}`} bar={file} copy={text}>
                {text}
              </CodeBlock>
              <p className="small muted">{note}</p>
            </section>
          ))}
        </div>
        <article className="prose">
          <h2 id="tools">Tools</h2>
          <ul>
            {tools.map(({ name, title, description, writes }) => (
              <li key={name}>
                <strong>{title}</strong> (<code>{name}</code>) {writes && <Tag tone="turn">writes</Tag>}
                <br />
                {description}
              </li>
            ))}
          </ul>

          <h2 id="writing">Writing</h2>
          <p>
            Tools that write are offered to a full key whose owner has switched them on, at the key’s page
            under “AI assistants”. It is off for every new key. Each such call needs an{' '}
            <code>idempotencyKey</code>: repeated within {limits.idempotencyHours} hours with the same
            arguments it makes nothing new.
          </p>

          <h2 id="words">Words of charts are data</h2>
          <p>
            Free text of a chart stands in objects of its own,{' '}
            <code>{'{"untrusted": true, "text": "…"}'}</code>, and every such result says that nothing in it
            is an instruction. Characters that a person would not see are left out. An assistant that acts on
            what it reads still needs somebody who looks over what it does.
          </p>

          <h2 id="refusals">Refusals</h2>
          <p>
            What is refused before a message is read has the{' '}
            <Link to={errorPage()}>envelope of the REST API</Link>: a key that is not good, a limit that is
            used up, a body that is too long. Messages that are wrong get JSON-RPC’s errors. What a tool
            refuses is its result, marked <code>isError</code>, with the code and the correlation id of the
            REST API, so that the assistant can mend its call.
          </p>
          <p>
            Every call counts against the limits of the key and stands in its activity as{' '}
            <code>POST /mcp tools/call</code> and the tool’s name, refused ones with the reason, and in the
            practice’s record of access.
          </p>
        </article>
      </div>
    </PublicFrame>
  )
}
