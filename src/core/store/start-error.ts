/** Why the service cannot start with this database, for the person who starts it. */
export class StoreStartError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreStartError';
  }
}
