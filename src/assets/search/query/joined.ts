/** Kinds of rows of extensions that items have, and that searches ask about. */
export const joinedKinds = ['annotation', 'approval'] as const;
export type JoinedKind = (typeof joinedKinds)[number];

/** Field of joined rows. SQL names the row `row`. */
interface JoinedField {
  /** `words`: a text in the text index of the rows. */
  readonly type: 'text' | 'whole' | 'date' | 'words';
  readonly value: string;
  /** Condition of an index, which all rows with a value meet: the value is at each question mark. */
  readonly narrows?: string;
}

/** Rows that an extension joins to items. Plain data, since reader threads get it with each search. */
export interface JoinedRows {
  /** Table with the columns `id` and `item_id`. */
  readonly table: string;
  /** Text index of the field of the type `words`, by a column `serial`. Left out: the rows have no text. */
  readonly textIndex?: string;
  readonly fields: Readonly<Record<string, JoinedField>>;
}

export type Joins = Readonly<Partial<Record<JoinedKind, JoinedRows>>>;

export const isJoined = (kind: string): kind is JoinedKind => joinedKinds.some((each) => each === kind);

/** SQL of a field, for rows with an alias. */
export const ofRow = (sql: string, alias: string): string => sql.replace(/\brow\./g, `${alias}.`);
