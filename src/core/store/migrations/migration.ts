/** Change of the schema. Never edited after its release: databases store its hash. */
export interface Migration {
  /** Global number without gaps, across all rooms. The newest is the version that the program needs. */
  readonly number: number;
  readonly name: string;
  readonly statements: readonly string[];
}
