import { Link } from '@remix-run/react'
import { type ReactNode, useState } from 'react'
import { fileRules } from '../../server/contract/forms/files.ts'
import { StepForms } from '../components/ui/action-form.tsx'
import { AutosaveNote, LostConnection } from '../components/ui/autosave-note.tsx'
import { Mark } from '../components/ui/brand.tsx'
import { Button } from '../components/ui/button.tsx'
import { Card } from '../components/ui/card.tsx'
import { ChoiceSearch, choiceHint } from '../components/ui/choice-search.tsx'
import { CodeBlock } from '../components/ui/code-block.tsx'
import { CodedText } from '../components/ui/coded-text.tsx'
import { CopyButton } from '../components/ui/copy-button.tsx'
import { Cell, DataTable, Row } from '../components/ui/data-table.tsx'
import { Dialog } from '../components/ui/dialog.tsx'
import { DownloadButtons } from '../components/ui/download-buttons.tsx'
import { DropMenu } from '../components/ui/drop-menu.tsx'
import { Facts } from '../components/ui/facts.tsx'
import { Fault, Select } from '../components/ui/field.tsx'
import { FileField, FileProgress, UnsentFile } from '../components/ui/file-field.tsx'
import { FoundText } from '../components/ui/found-text.tsx'
import { Building2, CircleCheck, CircleDashed, MessageSquare } from '../components/ui/icons.ts'
import { ListSearch, Pager } from '../components/ui/list-tools.tsx'
import { Meter } from '../components/ui/meter.tsx'
import { Moment } from '../components/ui/moment.tsx'
import Palette from '../components/ui/palette.tsx'
import { Progress } from '../components/ui/progress.tsx'
import { QrCode } from '../components/ui/qr-code.tsx'
import { Stepper } from '../components/ui/stepper.tsx'
import { Switcher } from '../components/ui/switcher.tsx'
import { Tabs } from '../components/ui/tabs.tsx'
import { Tag } from '../components/ui/tag.tsx'
import { Timeline } from '../components/ui/timeline.tsx'
import { DoneToast } from '../components/ui/toast.tsx'

interface ThemeProps {
  theme: 'light' | 'dark'
}

const at = '2026-11-30T14:00:00Z'
const longName = 'Samplewood, Placeholder & Testwell Interoperability and Telecommunications Incorporated'
const otherScripts = 'مثال للرعاية الصحية · 示例诊所 · Söhne für Beispiele'
const unbroken = 'https://placeholder.example/callback/of/an/app/whose/address/has/no/place/to/break'

/** How far something is: steps, budgets, what runs, what comes. */
export function ProgressParts({ theme }: ThemeProps) {
  return (
    <Card padded title={`Progress, ${theme}`}>
      <Stepper
        label={`Steps of an app, ${theme}`}
        steps={[
          { title: 'Sandbox test', progress: 'done', note: 'Done' },
          { title: 'Registration', progress: 'here', note: 'Your turn' },
          { title: 'Review', progress: 'ahead', note: 'About 5 business days' },
          { title: 'Enabled', progress: 'ahead', note: 'People can sign in' },
        ]}
      />
      <Stepper
        label={`Steps of a key, ${theme}`}
        steps={[
          { title: 'Request', progress: 'done', note: <Moment at={at} as="date" /> },
          { title: 'Sponsor', progress: 'done', note: 'Done' },
          { title: 'Usage agreement', progress: 'done', note: 'Done' },
          { title: 'BAA', progress: 'here', note: 'Both sides sign' },
          { title: 'Review and key', progress: 'ahead', note: 'Not yet' },
        ]}
      />
      <Meter label="Calls in this minute" used={150} of={3_600} />
      <Meter label="Nothing left" used={3_600} of={3_600} />
      <Progress label={`Export, ${theme}`} done={1_204} of={4_258} unit="resources" />
      <Progress label={`Export that waits, ${theme}`} done={0} of={null} unit="resources" />
      <div className="stack tight" role="status" aria-label={`Loading, ${theme}`}>
        <span className="sr">Loading</span>
        <span className="skel" />
        <span className="skel" />
      </div>
      <p className="row">
        <AutosaveNote state="saving" />
        <AutosaveNote state="saved" />
      </p>
      <LostConnection isLost />
      <Timeline
        entries={[
          { key: 'now', icon: CircleDashed, text: 'Waits for the practice' },
          { key: 'asked', icon: MessageSquare, text: 'More information needed', at: <Moment at={at} /> },
          { key: 'done', icon: CircleCheck, text: 'Submitted by Wren Testwell', at: <Moment at={at} /> },
        ]}
      />
      <p className="row">
        <Moment at={at} as="deadline" />
        <Moment at={at} as="time" />
        <Moment at={at} as="seconds" />
      </p>
    </Card>
  )
}

/** A file, from the choice to the answer. */
export function FileParts({ theme }: ThemeProps) {
  const { agreement, logo } = fileRules
  return (
    <Card padded title={`Files, ${theme}`}>
      <FileField
        name={`${theme}-document`}
        label="Document"
        rule={agreement}
        hint="A PDF of at most 900 kB."
      />
      <FileField name={`${theme}-logo`} label="Wrong file" rule={logo} fault={logo.wrongType} />
      <FileProgress file="agreement.pdf" sentBytes={412_000} bytes={880_000} cancel={() => undefined} />
      <FileProgress file="agreement.pdf" sentBytes={880_000} bytes={880_000} cancel={() => undefined} />
      <UnsentFile isLost onAgain={() => undefined} />
      <UnsentFile isLost={false} onAgain={() => undefined} />
    </Card>
  )
}

/** Ways through lists. */
export function ListParts({ theme }: ThemeProps) {
  const offered = { rows: [{ value: 'one', label: 'Samplewood Family Medicine' }], total: 1_204, q: '' }
  return (
    <>
      <Tabs
        label={`Views, ${theme}`}
        tabs={[
          { to: '#current', label: 'To do', count: 3, current: true },
          { to: '#other', label: 'Snoozed', count: 0, current: false },
          { to: '#last', label: 'Done', current: false },
        ]}
      />
      <ListSearch label={`Practice, ${theme}`} q="" />
      <ListSearch label={`Searched, ${theme}`} q="Samplewood" />
      <ChoiceSearch label={`Find a practice, ${theme}`} offered={offered} />
      <Select
        name={`${theme}-found`}
        label="Practice"
        options={offered.rows}
        hint={choiceHint(offered, 'practices')}
      />
      <Card label={`Long list, ${theme}`}>
        <DataTable label={`Long names, ${theme}`} heads={['Name', 'Address', 'State']}>
          <Row>
            <Cell>
              {longName} <span className="sub">{otherScripts}</span>
            </Cell>
            <Cell label="Address">
              <code className="breaks">{unbroken}</code>
            </Cell>
            <Cell label="State">
              <Tag tone="turn">Waiting for your answer</Tag>
            </Cell>
          </Row>
        </DataTable>
        <Pager label={`the long list, ${theme}`} listed={{ page: 2, pages: 49, total: 1_204 }} />
        <DownloadButtons />
      </Card>
      <Card padded title={`Long facts, ${theme}`}>
        <Facts of={{ 'Client authentication': longName, 'Redirect URIs': unbroken, Empty: null }} />
        <FoundText
          label="validation"
          kind="Error"
          section="Errors"
          excerpt="A parameter is unknown or missing."
        />
        <Fault fault="The file is larger than 512 kB." />
      </Card>
    </>
  )
}

/** What machines read, and what only some people see. */
export function CodeParts({ theme }: ThemeProps) {
  return (
    <Card padded title={`Code, ${theme}`}>
      <CodeBlock label={`A call, ${theme}`} bar="Terminal" copy={`curl "${unbroken}"`}>
        {`curl "${unbroken}"\n  -H "Authorization: Bearer $SVC_KEY"`}
      </CodeBlock>
      <CodeBlock label={`A wrapped call, ${theme}`} wrapped>
        {unbroken}
      </CodeBlock>
      <Switcher
        label={`Language, ${theme}`}
        panes={[
          { label: 'curl', content: <code>curl</code> },
          { label: 'Python', content: <code>import requests</code> },
        ]}
      />
      <p>
        <CodedText>The answer is `429` with `Retry-After`.</CodedText>{' '}
        <CopyButton text="svc_tEXAMPLE" label={`Copy the prefix, ${theme}`} word="Copy" />
      </p>
      <div className="row">
        <span className="brand">
          <Mark />
        </span>
        <QrCode label={`QR code, ${theme}`} size={9} path="M1 1h3v3h-3zM5 5h3v3h-3zM6 1h1v2h-1z" />
      </div>
    </Card>
  )
}

/** The steps that a workflow allows now: the one that it does not list is left out. */
export function StepParts({ theme }: ThemeProps) {
  return (
    <StepForms
      of={{ version: 1, allowed: [`${theme}-claim`] }}
      onceKey={`steps-of-the-gallery-${theme}`}
      steps={{
        [`${theme}-claim`]: { title: `Claim, ${theme}`, button: 'Claim request', look: 'primary' },
        [`${theme}-approve-step`]: { title: 'Not allowed now', button: 'Approve', look: 'primary' },
      }}
    />
  )
}

type Floating = 'dialog' | 'palette' | 'toast'

/** What floats over the page, opened by its button. */
export function FloatingParts({ theme }: ThemeProps) {
  const [open, setOpen] = useState<Floating | null>(null)
  const close = () => setOpen(null)
  const opener = (what: Floating, children: ReactNode) => (
    <Button className="needs-script" onClick={() => setOpen(what)}>
      {children}
    </Button>
  )
  return (
    <Card padded title={`What floats, ${theme}`}>
      <p className="small muted">Dialog, palette and toast open in the theme of the page.</p>
      <div className="row">
        {opener('dialog', `Open dialog, ${theme}`)}
        {opener('palette', `Open palette, ${theme}`)}
        {opener('toast', `Show toast, ${theme}`)}
        <DropMenu left summaryClass="btn" summary={`Open menu, ${theme}`}>
          <Link className="item" to="#menu">
            <Building2 className="i" />
            {longName}
          </Link>
        </DropMenu>
      </div>
      {open === 'dialog' && (
        <Dialog
          title="Your key, shown once"
          description="Copy it now. It can’t be shown again."
          onLeave={close}
          footer={<Button onClick={close}>Close</Button>}
        >
          <CodeBlock label="The key">svc_tEXAMPLE</CodeBlock>
        </Dialog>
      )}
      {open === 'palette' && (
        <Palette
          groups={[{ heading: 'Read', entries: [{ to: '/docs', label: 'Documentation', where: 'Docs' }] }]}
          navigate={close}
          onClose={close}
        />
      )}
      {open === 'toast' && <DoneToast message="Key revoked." id={theme} />}
    </Card>
  )
}
