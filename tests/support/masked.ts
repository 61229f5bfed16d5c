const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** A text with its correlation IDs masked, the one thing that differs between equal refusals. */
export const masked = (text: string): string => text.replace(uuid, 'masked')
