// Binary frames between server and drawing client, beside the JSON ones of connection.ts.

export const ClientFrame = {
  /** Server to client; channel is the view's number, payload as DiffEncoder writes it. */
  screen: 16,
} as const;
