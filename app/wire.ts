/** What a loader's value has become when it arrives: a date may be a text. */
export type Wire<T> = T extends Date
  ? Date | string
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? { [Key in keyof T]: Wire<T[Key]> }
      : T
