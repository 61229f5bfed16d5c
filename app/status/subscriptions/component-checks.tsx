import { type ComponentId, componentIds, components } from '../../../server/contract/status/components.ts'
import { subscriptionField } from '../../../server/contract/status/subscriptions.ts'

/** Components whose notifications a person wants; none for all. */
export function ComponentChecks({ chosen }: { chosen: readonly ComponentId[] }) {
  return (
    <fieldset className="choices">
      <legend>Which components?</legend>
      <p className="small muted">Choose none to get emails about all of them, including future ones.</p>
      {componentIds.map((id) => (
        <label className="check" key={id}>
          <input
            type="checkbox"
            name={subscriptionField(id)}
            value="on"
            defaultChecked={chosen.includes(id)}
          />
          <span>{components[id].name}</span>
        </label>
      ))}
    </fieldset>
  )
}
