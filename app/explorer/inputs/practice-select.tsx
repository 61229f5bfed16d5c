interface PracticeSelectProps {
  practices: readonly { slug: string; name: string }[]
  /** Slug of the one in use. */
  practice: string
}

export function PracticeSelect({ practices, practice }: PracticeSelectProps) {
  return (
    <div className="field">
      <label htmlFor="practice">Practice</label>
      <select className="input" id="practice" name="practice" defaultValue={practice}>
        {practices.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
