import { useLocation, useNavigate, useNavigation } from '@remix-run/react'
import { Fragment, useEffect, useState } from 'react'
import { Play } from '../../components/ui/icons.ts'
import { Button } from '../../components/ui/page-parts.tsx'
import { type Choice, type ExplorerPage, textsOf, type Values } from '../page.ts'
import { addressParts } from './address.ts'

/** The id of the form whose request the line sends. The line is above the form, and the response beside it. */
export const requestForm = 'request'

interface SendLineProps {
  page: ExplorerPage
  values: Values
  practice: string
  credential: string
}

/** The request's method, URL, key and Send button, which are always in view. */
export function SendLine({ page, values, practice, credential }: SendLineProps) {
  const { request, practices } = page
  const sending = useSending()
  return (
    <div className="ex-line">
      <p className="ex-url">
        <b>{request.method}</b>
        <Address key={request.key} request={request} values={values} />
      </p>
      <div className="ex-key">
        <Select
          name="practice"
          label="Practice"
          value={practice}
          groups={[{ title: '', choices: practices }]}
          reloads={page.credential.reloads}
        />
        <Select {...page.credential} value={credential} />
      </div>
      <div className="ex-send">
        <Button type="submit" form={requestForm} look="primary" size="lg" aria-busy={sending || undefined}>
          <Play className="i" />
          {sending ? 'Sending' : 'Send'}
        </Button>
        <kbd className="needs-script wide-only">Ctrl Enter</kbd>
      </div>
    </div>
  )
}

/** Whether a call is running. While the page only reloads its data, the response is there and another call may start. */
export function useSending(): boolean {
  const { state, formMethod } = useNavigation()
  return state === 'submitting' && formMethod === 'POST'
}

function Select({ name, label, groups, value, reloads }: ExplorerPage['credential'] | PracticeChoice) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const id = `ex-${name}`
  const all = groups.flatMap(({ choices }) => choices)
  if (all.length < 2) return <input type="hidden" name={name} value={value} form={requestForm} />
  const optionsOf = (choices: readonly Choice[]) =>
    choices.map((choice) => (
      <option key={choice.value} value={choice.value}>
        {choice.display}
      </option>
    ))
  const reload = (chosen: string) => {
    const query = new URLSearchParams(search)
    query.set(name, chosen)
    query.delete('other')
    navigate(`?${query}`, { preventScrollReset: true, replace: true })
  }
  return (
    <>
      <label className="sr" htmlFor={id}>
        {label}
      </label>
      <select
        key={value}
        className="input"
        id={id}
        name={name}
        form={requestForm}
        defaultValue={value}
        onChange={({ currentTarget }) => reloads && reload(currentTarget.value)}
      >
        {groups.map(({ title, choices }) =>
          title === '' ? (
            <Fragment key={title}>{optionsOf(choices)}</Fragment>
          ) : (
            <optgroup key={title} label={title}>
              {optionsOf(choices)}
            </optgroup>
          ),
        )}
      </select>
    </>
  )
}

type PracticeChoice = Omit<ExplorerPage['credential'], 'name'> & { name: 'practice' }

/** The URL that will be sent, updated while a person types. */
function Address({ request, values }: { request: ExplorerPage['request']; values: Values }) {
  const [typed, setTyped] = useState<FormData | null>(null)
  useEffect(() => {
    const form = document.getElementById(requestForm)
    if (!(form instanceof HTMLFormElement)) return
    const read = () => setTyped(new FormData(form))
    read()
    form.addEventListener('input', read)
    return () => form.removeEventListener('input', read)
  }, [])
  const usual = Object.fromEntries(request.fields.map(({ input, usual: text = '' }) => [input, text]))
  const valuesOf = (input: string) =>
    typed?.getAll(input).map(String) ?? textsOf({ ...usual, ...values }, input)
  const parts = addressParts(request.path, request.fields, valuesOf)
  return (
    <span>
      <span className="base wide-only">{request.base}</span>
      {parts.map(({ text, isValue }, index) => {
        const key = `${index} ${text}`
        return isValue ? <em key={key}>{text}</em> : <Fragment key={key}>{text}</Fragment>
      })}
    </span>
  )
}
