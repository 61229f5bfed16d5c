/** Says below a guide's first code which sandbox and app its snippets show, and how to see one's own. */
import { Form, Link, useLocation, useRouteLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Select } from '../../components/ui/form.tsx'
import { Button } from '../../components/ui/page-parts.tsx'
import { useRoot } from '../../lib/root-data.ts'
import { confirmPath } from '../../lib/sign-in-paths.ts'
import { type OwnValues, placeholders } from './addresses.ts'

export interface OwnChoice {
  readonly values: OwnValues
  /** Apps that the reader can choose; empty if the guide names no app. */
  readonly apps: readonly { readonly clientId: string; readonly name: string }[]
  readonly organization: string
  readonly sandboxPage: string
  readonly appsPage: string
}

/** The query parameter of a guide with the client ID of the app that its snippets show. */
export const chosenApp = 'app'

interface FrameData {
  readonly own: OwnChoice | null
  readonly names: { readonly base: boolean; readonly app: boolean } | null
}

/** Renders nothing in a guide without values of a sandbox or an app. */
export function ShownWith() {
  const { own, names } = useRouteLoaderData('docs-frame') as FrameData
  if (!names?.base && !names?.app) return null
  return (
    <section className="shown-with" aria-label="Values in the snippets">
      {own ? <Own own={own} app={names.app} /> : <Visitor app={names.app} />}
    </section>
  )
}

function Visitor({ app }: { app: boolean }) {
  const { account } = useRoot()
  const { pathname } = useLocation()
  return (
    <p>
      In the snippets, replace <code>{placeholders.sandbox}</code>
      {app && (
        <>
          {' '}
          and <code>{placeholders.clientId}</code>
        </>
      )}{' '}
      {app
        ? 'with your own values, which are on your app’s page.'
        : 'with the last part of your base, which is on your sandbox’s page.'}{' '}
      {account ? (
        <Link to={paths.newOrganization}>Create an organization</Link>
      ) : (
        <Link to={confirmPath(paths.signIn, pathname)}>Sign in</Link>
      )}{' '}
      to see them filled in.
    </p>
  )
}

function Own({ own, app }: { own: OwnChoice; app: boolean }) {
  const { values, apps, organization, sandboxPage, appsPage } = own
  const [first, ...others] = apps
  return (
    <>
      <p>
        {values.base ? (
          <>
            The snippets show {first && others.length === 0 && <>your app {first.name} and </>}the sandbox of{' '}
            {organization}: <code>{values.base}</code>.
          </>
        ) : (
          <>
            {organization} has no sandbox yet. <Link to={sandboxPage}>Open the sandbox</Link> to see its base
            in the snippets.
          </>
        )}{' '}
        {app && apps.length === 0 && (
          <>
            <Link to={appsPage}>Create an app</Link> to see its client ID, too.
          </>
        )}
      </p>
      {others.length > 0 && (
        <Form className="row" method="get" preventScrollReset>
          <Select
            key={values.clientId}
            label="Show with"
            name={chosenApp}
            value={values.clientId ?? ''}
            options={apps.map(({ clientId, name }) => ({ value: clientId, label: `${name} (${clientId})` }))}
          />
          <Button type="submit">Show</Button>
        </Form>
      )}
    </>
  )
}
