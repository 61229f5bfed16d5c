/** On top of every page of a demonstration that began with a history. */
export function MadeUpNote() {
  return (
    <aside className="made-up" aria-label="Demonstration">
      Demonstration: organizations, people and the first month are sample data.
    </aside>
  )
}
