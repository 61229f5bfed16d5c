import { useLocation } from '@remix-run/react'
import { Tabs } from '../../components/ui/page-parts.tsx'

/** The tab in the URL; without one, the first. */
export function readTab<Name extends string>(tabs: Readonly<Record<Name, string>>, request: Request): Name {
  const names = Object.keys(tabs) as Name[]
  const named = new URL(request.url).searchParams.get('tab')
  return names.find((name) => name === named) ?? (names[0] as Name)
}

interface RequestTabsProps<Name extends string> {
  tabs: Readonly<Record<Name, string>>
  current: Name
  /** Shown beside the tab's label, unless zero. */
  counts?: Partial<Record<Name, number>>
}

/** The tabs of a request. Each has a URL with the queue's filters. */
export function RequestTabs<Name extends string>({ tabs, current, counts = {} }: RequestTabsProps<Name>) {
  const { pathname, search } = useLocation()
  const names = Object.keys(tabs) as Name[]
  return (
    <Tabs
      label="Sections"
      tabs={names.map((name, index) => {
        const query = new URLSearchParams(search)
        if (index === 0) query.delete('tab')
        else query.set('tab', name)
        const count = counts[name] ?? 0
        return {
          to: query.size === 0 ? pathname : `${pathname}?${query}`,
          label: tabs[name],
          current: name === current,
          ...(count > 0 && { count }),
        }
      })}
    />
  )
}
