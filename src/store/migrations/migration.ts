/** One step of the schema. Once released it is never edited: databases know its hash. */
export interface Migration {
  /** Global and without gaps, whichever room it belongs to: the newest is the version that a program needs. */
  readonly number: number;
  readonly name: string;
  readonly statements: readonly string[];
}
