/** Levels of access, lowest first. Each level includes the lower ones. */
export const levels = ['NONE', 'READ', 'WRITE', 'ALL', 'OWNER'] as const;

export type Level = (typeof levels)[number];

/** Level that an operation needs. */
export type RequiredLevel = Exclude<Level, 'NONE'>;

export const rankOf = (level: Level): number => levels.indexOf(level);

export const isAtLeast = (level: Level, wanted: Level): boolean => rankOf(level) >= rankOf(wanted);

/** Kinds of entities that carry access entries. */
export type Guarded = 'item' | 'collection' | 'library';

export const operationTypes = ['GENERIC', 'METADATA', 'SHAPE', 'URI'] as const;

export type OperationType = (typeof operationTypes)[number];

/** Operation that access is checked for: its type, and the fields, shape tags or container types concerned. */
export interface Operation {
  readonly type: OperationType;
  /** A field, a shape tag, or the type of a container. With several, an entry for any of them applies. */
  readonly extradata?: string | readonly string[] | undefined;
}

export const generic: Operation = { type: 'GENERIC' };

/** Reference to an entity that carries access entries. */
export interface AccessTarget {
  readonly type: string;
  readonly id: string;
}

/** The entity of a path, whose segment is named after its type. */
export const targetIn = (type: string, segments: Readonly<Record<string, { readonly id: string }>>): AccessTarget => ({
  type,
  id: segments[type]!.id,
});

export const targetKey = ({ type, id }: AccessTarget): string => `${type} ${id}`;
