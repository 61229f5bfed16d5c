import { ChevronDown } from '../../components/ui/icons.ts'
import type { GroupCount } from './consent-boxes.ts'
import type { GroupView } from './consent-view.ts'

interface GroupListProps {
  groups: readonly GroupView[]
  /** Null until the script runs. */
  counts: readonly GroupCount[] | null
}

/** A box for each group, and folded below it a box for each part of the group. */
export function GroupList({ groups, counts }: GroupListProps) {
  return (
    <ul className="card">
      {groups.map((group) => (
        <GroupItem key={group.id} group={group} count={counts?.find(({ id }) => id === group.id) ?? null} />
      ))}
    </ul>
  )
}

function GroupItem({ group, count }: { group: GroupView; count: GroupCount | null }) {
  const { id, title, hint, sensitive, only, ticked, boxes } = group
  const some = count !== null && count.ticked > 0 && count.ticked < count.total
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
          {some && (
            <span className="sub">
              {count.ticked} of {count.total} parts
            </span>
          )}
          {!some && only.length > 0 && <span className="sub">Only {lowerFirst(only).join(', ')}</span>}
        </span>
      </label>
      {boxes.length === 1 && box && <input type="hidden" name="box" value={box.name} />}
      {(hint || boxes.length > 1) && (
        <details open={ticked && boxes.some((each) => !each.ticked)}>
          <summary aria-label={`What “${title}” includes`}>
            <ChevronDown className="i" />
          </summary>
          <div>
            {hint && only.length === 0 && <p className="small muted">{hint}</p>}
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
