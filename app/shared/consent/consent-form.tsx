import { Form } from '@remix-run/react'
import { type ChangeEvent, type MouseEvent, useEffect, useRef, useState } from 'react'
import type { GroupChoice, OfferedGroup } from '../../../server/contract/smart/consent-groups.ts'
import { ChevronDown, TriangleAlert } from '../../components/ui/icons.ts'
import type { AuthorizeApp } from './app-heading.tsx'
import { begin, countGroups, follow, type GroupCount, tickAll } from './consent-boxes.ts'
import { Dock, Duration, type Lasting } from './consent-decision.tsx'
import { Earlier, PersonCard, Question } from './consent-question.tsx'
import { type AuthorizePerson, type GroupView, toGroupViews } from './consent-view.ts'

interface ConsentFormProps {
  heading?: 'h1' | 'h2'
  app: AuthorizeApp
  account: { name: string; email: string }
  person: AuthorizePerson | null
  canChoose: boolean
  groups: readonly OfferedGroup[]
  /** The choice that is ticked at first. */
  first: GroupChoice
  /** Whether `first` is the person's choice from last time. */
  remembered: boolean
  identity: boolean
  beyondOnePerson: boolean
  lasting: Lasting | null
  /** An authorization that is still live, and what the app can already read with it. */
  earlier: { grantedAt: Date; reads: readonly string[] } | null
  /** The last answer if the form is shown again: its choice, and the error if there was one. */
  sent: { message: string | null; choice: GroupChoice; lasting: boolean } | null
}

const [switchForm, untickForm] = ['switch', 'untick']

interface Answer {
  counts: GroupCount[]
  lasting: boolean
}

/** Asks what the app may read and for how long, and allows or denies it. */
export function ConsentForm(props: ConsentFormProps) {
  const { app, person, earlier, identity, lasting, remembered, sent } = props
  const groups = toGroupViews(props.groups, sent?.choice ?? props.first)
  const ref = useRef<HTMLFormElement>(null)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const read = () => {
    const form = ref.current
    if (form) setAnswer({ counts: countGroups(form), lasting: isLasting(form) })
  }
  useEffect(() => {
    const form = ref.current
    if (!form) return
    begin(form)
    setAnswer({ counts: countGroups(form), lasting: isLasting(form) })
  }, [])
  const change = (event: ChangeEvent<HTMLFormElement>) => {
    follow(event.currentTarget, event.target as unknown as HTMLInputElement)
    read()
  }
  const anyTicked = answer === null || answer.counts.some(({ ticked }) => ticked > 0)
  const toggleAll = (event: MouseEvent) => {
    event.preventDefault()
    if (ref.current) tickAll(ref.current, !anyTicked)
    read()
  }
  const counts = answer?.counts ?? null
  const [plain, sensitive] = [
    groups.filter((group) => !group.sensitive),
    groups.filter((group) => group.sensitive),
  ]
  return (
    <>
      <Form method="post" reloadDocument ref={ref} onChange={change}>
        <div className="con">
          <Question {...props} />
          <PersonCard {...props} switchForm={switchForm} />
          {sent?.message && (
            <p className="banner bad" role="alert">
              <TriangleAlert className="i" />
              <strong>{sent.message}</strong>
            </p>
          )}
          {person && <input type="hidden" name="patient" value={person.patientId} />}
          {earlier && <Earlier earlier={earlier} app={app} />}
          {groups.length > 0 && (
            <div className="group-head">
              <h2>{remembered ? 'Your last choices' : 'Choose what to share'}</h2>
              <button
                className="link"
                type="submit"
                form={untickForm}
                name="intent"
                value="untick"
                onClick={toggleAll}
              >
                {anyTicked ? 'Select none' : 'Select all'}
              </button>
            </div>
          )}
          {plain.length > 0 && (
            <fieldset>
              <legend className="sr">What {app.name} can read</legend>
              <GroupList groups={plain} counts={counts} />
            </fieldset>
          )}
          {sensitive.length > 0 && (
            <fieldset
              className="stack tight"
              aria-labelledby="sensitive"
              aria-describedby={app.realm === 'patient' ? 'sensitive-first' : undefined}
            >
              <div className="group-head">
                <h2 id="sensitive">Sensitive records</h2>
                {app.realm === 'patient' && (
                  <span id="sensitive-first" className="small muted">
                    Off unless you select them
                  </span>
                )}
              </div>
              <GroupList groups={sensitive} counts={counts} />
              {app.realm === 'patient' && plain.length > 0 && (
                <p className="small muted">
                  Other groups can also contain sensitive records, such as a diagnosis or a medicine.
                </p>
              )}
            </fieldset>
          )}
          <Duration app={app} lasting={lasting} chosen={sent?.lasting ?? false} />
        </div>
        <Dock identity={identity} lasting={answer?.lasting ? lasting : null} counts={counts} />
      </Form>
      <Form method="post" reloadDocument id={switchForm} />
      <Form method="post" reloadDocument id={untickForm} />
    </>
  )
}

function isLasting(form: HTMLFormElement): boolean {
  return new FormData(form).get('lasting') === 'yes'
}

interface GroupListProps {
  groups: readonly GroupView[]
  /** Null until the script runs. */
  counts: readonly GroupCount[] | null
}

/** A box for each group, and folded below it a box for each part of the group. */
function GroupList({ groups, counts }: GroupListProps) {
  return (
    <ul className="card">
      {groups.map((group) => (
        <GroupItem key={group.id} group={group} count={counts?.find(({ id }) => id === group.id) ?? null} />
      ))}
    </ul>
  )
}

function GroupItem({ group, count }: { group: GroupView; count: GroupCount | null }) {
  const { id, title, hint, sensitive, requested, ticked, boxes } = group
  const isPartial = count !== null && count.ticked > 0 && count.ticked < count.total
  const [box] = boxes
  return (
    <li className="grp">
      <label className="check">
        <input
          type="checkbox"
          name="group"
          value={id}
          defaultChecked={ticked}
          data-sensitive={sensitive || undefined}
        />
        <span>
          <span className="label">{title}</span>
          {isPartial && (
            <span className="sub">
              {count.ticked} of {count.total} parts
            </span>
          )}
          {!isPartial && requested.length > 0 && (
            <span className="sub">Only {lowerFirst(requested).join(', ')}</span>
          )}
        </span>
      </label>
      {boxes.length === 1 && box && <input type="hidden" name="box" value={box.name} />}
      {(hint || boxes.length > 1) && (
        <details open={ticked && boxes.some((box) => !box.ticked)}>
          <summary aria-label={`What “${title}” includes`}>
            <ChevronDown className="i" />
          </summary>
          <div>
            {hint && requested.length === 0 && <p className="small muted">{hint}</p>}
            {boxes.length > 1 && <Boxes group={group} />}
          </div>
        </details>
      )}
    </li>
  )
}

function Boxes({ group: { title, boxes } }: { group: GroupView }) {
  return (
    <fieldset>
      <legend className="sr">Parts of “{title}”</legend>
      {boxes.map((box) => (
        <label className="check" key={box.name}>
          <input
            type="checkbox"
            name="box"
            value={box.name}
            defaultChecked={box.ticked}
            data-type={box.type}
            data-rest={box.isRest || undefined}
          />
          <span>
            {box.title}
            {box.hint && <span className="sub">{box.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const lowerFirst = (titles: readonly string[]) =>
  titles.map((title) => `${title.charAt(0).toLowerCase()}${title.slice(1)}`)
