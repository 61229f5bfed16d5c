/** Keeps the boxes of the consent page consistent. Without a script, the form sends them as they are. */

export interface GroupCount {
  id: string
  ticked: number
  total: number
}

interface Group {
  id: string
  /** The group's groupBoxes box. */
  head: HTMLInputElement
  /** The boxes inside; empty for a group of one box. */
  boxes: readonly HTMLInputElement[]
}

function groupsIn(form: Element): Group[] {
  return [...form.querySelectorAll('.grp')].flatMap((item) => {
    const head = item.querySelector<HTMLInputElement>('input[name="group"]')
    if (!head) return []
    const boxes = [...item.querySelectorAll<HTMLInputElement>('input[type="checkbox"][name="box"]')]
    return [{ id: head.value, head, boxes }]
  })
}

const boxesIn = (groups: readonly Group[]) => groups.flatMap(({ boxes }) => boxes)

/** After a click on a group, ticks or unticks its boxes. The rest of a type needs all of its parts. */
export function follow(form: Element, clicked: HTMLInputElement): void {
  const groups = groupsIn(form)
  const group = groups.find(({ head }) => head === clicked)
  if (group) for (const box of group.boxes) box.checked = clicked.checked
  if (clicked.dataset.rest && clicked.checked)
    for (const box of boxesIn(groups)) if (box.dataset.type === clicked.dataset.type) box.checked = true
  settle(groups)
}

/** Ticks or unticks every group. Sensitive ones are ticked one by one. */
export function tickAll(form: Element, checked: boolean): void {
  const groups = groupsIn(form)
  for (const { head, boxes } of groups) {
    if (checked && head.dataset.sensitive) continue
    head.checked = checked
    for (const box of boxes) box.checked = checked
  }
  settle(groups)
}

/** Makes boxes consistent that were clicked before the script ran, or that the browser restored. */
export function begin(form: Element): void {
  const groups = groupsIn(form)
  // For pages without a script, the server also ticks the boxes of groups that are off.
  for (const { head, boxes } of groups) if (!head.checked) for (const box of boxes) box.checked = false
  settle(groups)
}

function settle(groups: readonly Group[]): void {
  const boxes = boxesIn(groups)
  for (const rest of boxes.filter((box) => box.dataset.rest)) {
    const parts = boxes.filter((box) => box.dataset.type === rest.dataset.type && !box.dataset.rest)
    if (parts.some((part) => !part.checked)) rest.checked = false
  }
  for (const { head, boxes: groupBoxes } of groups) {
    if (groupBoxes.length === 0) continue
    head.checked = groupBoxes.some((box) => box.checked)
    head.indeterminate = head.checked && groupBoxes.some((box) => !box.checked)
  }
}

export function countGroups(form: Element): GroupCount[] {
  return groupsIn(form).map(({ id, head, boxes }) =>
    boxes.length === 0
      ? { id, ticked: Number(head.checked), total: 1 }
      : { id, ticked: boxes.filter((box) => box.checked).length, total: boxes.length },
  )
}
