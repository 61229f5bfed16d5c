export interface ChoiceListProps {
  id: string
  choices: readonly { value: string; display: string }[]
}

/** Suggestions of a text field, found by what they are called; they work without a script. */
export function ChoiceList({ id, choices }: ChoiceListProps) {
  if (choices.length === 0) return null
  return (
    <datalist id={id}>
      {choices.map(({ value, display }) => (
        <option key={value} value={value}>
          {display}
        </option>
      ))}
    </datalist>
  )
}
