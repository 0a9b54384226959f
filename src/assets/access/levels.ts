/** What an entry gives, from the least on. Each level includes those before it. */
export const levels = ['NONE', 'READ', 'WRITE', 'ALL', 'OWNER'] as const;

export type Level = (typeof levels)[number];

/** What a caller asks for. */
export type Wanted = Exclude<Level, 'NONE'>;

export const rankOf = (level: Level): number => levels.indexOf(level);

export const isAtLeast = (level: Level, wanted: Level): boolean => rankOf(level) >= rankOf(wanted);

/** What entries stand on. */
export type Guarded = 'item' | 'collection' | 'library';

export const operationTypes = ['GENERIC', 'METADATA', 'SHAPE', 'URI'] as const;

export type OperationType = (typeof operationTypes)[number];

/** What a caller wants to do, as far as entries tell it apart: fields, shape tags, types of containers. */
export interface Operation {
  readonly type: OperationType;
  /** A field, a shape tag, or the type of a container. Of several, an entry for any speaks. */
  readonly extradata?: string | readonly string[] | undefined;
}

export const generic: Operation = { type: 'GENERIC' };

/** An entity that entries stand on. */
export interface Place {
  readonly type: string;
  readonly id: string;
}

export const placeKey = ({ type, id }: Place): string => `${type} ${id}`;
