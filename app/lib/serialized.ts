/** A loader's value as the page receives it: after serialization a date may be a string. */
export type Serialized<T> = T extends Date
  ? Date | string
  : T extends readonly (infer Item)[]
    ? readonly Serialized<Item>[]
    : T extends object
      ? { [Key in keyof T]: Serialized<T[Key]> }
      : T
