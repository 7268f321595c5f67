import { z } from 'zod';

/** base64url SHA-256 of a stored text; see docs/record-format.md. */
export const ref = z.string().length(43);

/** Version of a payload. */
export const version = z.literal(1);
