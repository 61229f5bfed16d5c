import { Link } from '@remix-run/react'
import { z } from 'zod'
import { ActionForm } from '../components/ui/action-form.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { Button, LinkButton, SubmitButton } from '../components/ui/button.tsx'
import { Card } from '../components/ui/card.tsx'
import { Check, Checkboxes, Choices } from '../components/ui/choice.tsx'
import { ContractForm } from '../components/ui/contract-form.tsx'
import { Cell, DataTable, Row } from '../components/ui/data-table.tsx'
import { EmptyState } from '../components/ui/empty-state.tsx'
import { Facts } from '../components/ui/facts.tsx'
import { Field, Select, TextArea } from '../components/ui/field.tsx'
import { Copy, KeyRound } from '../components/ui/icons.ts'
import { Tag } from '../components/ui/tag.tsx'
import { FormPlace } from '../lib/form-answer.ts'
import { CodeParts, FileParts, FloatingParts, ListParts, ProgressParts, StepParts } from './gallery-parts.tsx'

const levels = [
  { value: 'read_only', label: 'Read-only' },
  { value: 'full', label: 'Read and write' },
]
const classes = [
  { value: 'clinical', label: 'Clinical', sub: 'Problems, medications, allergies' },
  { value: 'documents', label: 'Documents' },
]

const months = [...Array(13).keys()].map((month) => `Month ${month + 1}`)

interface ThemeProps {
  /** Tells the copies of a part apart: names and ids are unique on the page. */
  theme: 'light' | 'dark'
}

/** Every part of the portal in each of its states, in one theme. */
export function Gallery({ theme }: ThemeProps) {
  return (
    <div data-theme={theme} className="stack loose gallery">
      <h2>{theme === 'light' ? 'Light' : 'Dark'} theme</h2>
      <Cards theme={theme} />
      <Fields theme={theme} />
      <Forms theme={theme} />
      <ActionForms theme={theme} />
      <Lists theme={theme} />
      <Notices theme={theme} />
      <ProgressParts theme={theme} />
      <FileParts theme={theme} />
      <ListParts theme={theme} />
      <CodeParts theme={theme} />
      <StepParts theme={theme} />
      <FloatingParts theme={theme} />
    </div>
  )
}

function Cards({ theme }: ThemeProps) {
  return (
    <>
      <Card title={`Card, ${theme}`} aside={<Link to="#cards">Beside the title</Link>}>
        <p className="pad">A head, and rows that reach the edges.</p>
      </Card>
      <Card padded title={`Padded card, ${theme}`}>
        <p>Text and forms.</p>
        <div className="row wraps">
          <Button look="primary">Primary</Button>
          <Button>Outline</Button>
          <Button look="plain">Plain</Button>
          <Button look="danger">Danger</Button>
          <Button disabled>Disabled</Button>
          <Button icon aria-label={`Copy, ${theme}`}>
            <Copy className="i" />
          </Button>
          <SubmitButton form="nothing-to-send">Submit</SubmitButton>
          <Button look="primary" size="lg">
            Large
          </Button>
          <LinkButton to="#cards" size="sm">
            Small link
          </LinkButton>
        </div>
      </Card>
    </>
  )
}

function Fields({ theme }: ThemeProps) {
  return (
    <FormPlace.Provider value={{ intent: `${theme}-fields` }}>
      <Card padded title={`Fields, ${theme}`}>
        <Field name="empty" label="Empty field" />
        <Field name="filled" label="Filled field" value="Reminders" hint="A name you’ll recognize later." />
        <Field name="mono" label="Code" value="pt-wren-testwell" mono />
        <Field name="read-only" label="Read-only field" value="Can’t be changed" readOnly />
        <Field name="wrong" label="Wrong field" value="no" fault="Name must be at least 3 characters." />
        <TextArea name="text" label="Text" hint="At least 40 characters." countTo={40} />
        <TextArea name="wrong-text" label="Wrong text" value="Hm." fault="Use at least 10 characters." />
        <Select name="level" label="Level" options={levels} value="full" />
        <Select name="wrong-level" label="Wrong level" options={levels} fault="Choose a level." />
        <Choices name="choice" legend="One of a few" options={levels} />
        <Checkboxes name="classes" legend="Any of several" options={classes} ticked={['clinical']} />
        <Checkboxes
          name="many"
          legend="Any of many"
          hint="The hint has a line of its own."
          options={months.map((label) => ({ value: label, label }))}
        />
        <Check name="terms" checked>
          I accept the terms
        </Check>
      </Card>
    </FormPlace.Provider>
  )
}

const schema = z.object({
  name: z.string({ error: 'Enter a name.' }),
  description: z.string().min(10, 'Use at least 10 characters.'),
})
const refused = {
  status: 'error' as const,
  initialValue: { description: 'Short' },
  error: { name: ['Enter a name.'], description: ['Use at least 10 characters.'] },
}

/** As it comes back from the server: what was typed is kept, and each fault is beside its field. */
function Forms({ theme }: ThemeProps) {
  return (
    <ContractForm
      schema={schema}
      labels={{ name: 'Name', description: 'Description' }}
      lastResult={refused}
      id={`${theme}-contract`}
      button="Save"
      busy="Saving"
      aria-label={`Contract form, ${theme}`}
    >
      <Field name="name" />
      <TextArea name="description" />
    </ContractForm>
  )
}

/** Sent, these are refused: the reason in one, a text that looks like a secret in the other. */
function ActionForms({ theme }: ThemeProps) {
  const once = { version: 1, onceKey: `gallery-of-components-${theme}` }
  return (
    <>
      <ActionForm
        {...once}
        intent={`${theme}-approve`}
        title={`Approve, ${theme}`}
        button="Approve request"
        look="primary"
        reason="Reason"
      >
        <Field name="name" label="Name" value="Wren Testwell" />
      </ActionForm>
      <ActionForm
        {...once}
        intent={`${theme}-revoke`}
        folded={`Revoke, ${theme}`}
        label={`Revoke key, ${theme}`}
        button="Revoke key"
        look="danger"
        reason="Reason"
        reasonHint="The developer reads this."
      />
      <ActionForm
        {...once}
        intent={`${theme}-sign`}
        title={`Sign, ${theme}`}
        button="Sign"
        look="primary"
        stepUp={{ to: '#proof', label: 'Confirm your identity' }}
      />
    </>
  )
}

function Lists({ theme }: ThemeProps) {
  return (
    <>
      <Card>
        <Facts of={{ Name: 'Reminders', Ends: 'In 30 days', Reason: null }} className="pad facts" />
        <DataTable label={`Keys, ${theme}`} heads={['Name', 'Level', 'State']}>
          <Row>
            <Cell>
              Reminders <span className="sub">spk_test_7f3a</span>
            </Cell>
            <Cell label="Level">Read-only</Cell>
            <Cell label="State">
              <Tag tone="ok">Active</Tag>
            </Cell>
          </Row>
          <Row>
            <Cell>Intake</Cell>
            <Cell label="Level">Read and write</Cell>
            <Cell label="State">
              <Tag tone="bad">Suspended</Tag>
            </Cell>
          </Row>
        </DataTable>
      </Card>
      <EmptyState
        icon={KeyRound}
        title="No keys yet"
        action={
          <LinkButton look="primary" to="#create">
            Create key
          </LinkButton>
        }
      >
        A key gives access to one sandbox practice.
      </EmptyState>
    </>
  )
}

const tones = ['turn', 'wait', 'ok', 'bad'] as const
const tagTones = ['quiet', 'ok', 'turn', 'bad', 'teal'] as const

function Notices({ theme }: ThemeProps) {
  return (
    <>
      {tones.map((tone) => (
        <Banner key={tone} tone={tone} title={`Banner “${tone}”, ${theme}.`}>
          What happens next, and by when.
        </Banner>
      ))}
      <div className="row wraps">
        {tagTones.map((tone) => (
          <Tag key={tone} tone={tone}>
            {tone}
          </Tag>
        ))}
        <Tag bare tone="ok">
          bare
        </Tag>
      </div>
    </>
  )
}
