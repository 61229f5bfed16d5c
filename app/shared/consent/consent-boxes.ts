/** Keeps the boxes of the consent page in step in the browser. Without it the form sends them as they are. */

export interface GroupCount {
  id: string
  ticked: number
  total: number
}

interface Group {
  id: string
  /** The group's own box. */
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

/** Follows a click: a group takes its boxes along, and the rest of a type needs every part. */
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

/** Also for boxes that were clicked before the script ran, or that the browser restored on the way back. */
export function begin(form: Element): void {
  const groups = groupsIn(form)
  // Boxes of a group that is off are ready for a page without a script.
  for (const { head, boxes } of groups) if (!head.checked) for (const box of boxes) box.checked = false
  settle(groups)
}

function settle(groups: readonly Group[]): void {
  const boxes = boxesIn(groups)
  for (const rest of boxes.filter((box) => box.dataset.rest)) {
    const parts = boxes.filter((box) => box.dataset.type === rest.dataset.type && !box.dataset.rest)
    if (parts.some((part) => !part.checked)) rest.checked = false
  }
  for (const { head, boxes: own } of groups) {
    if (own.length === 0) continue
    head.checked = own.some((box) => box.checked)
    head.indeterminate = head.checked && own.some((box) => !box.checked)
  }
}

export function countGroups(form: Element): GroupCount[] {
  return groupsIn(form).map(({ id, head, boxes }) =>
    boxes.length === 0
      ? { id, ticked: Number(head.checked), total: 1 }
      : { id, ticked: boxes.filter((box) => box.checked).length, total: boxes.length },
  )
}
