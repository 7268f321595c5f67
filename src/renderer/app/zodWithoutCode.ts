import { config } from 'zod';

// Before any schema is made: zod tries whether it may compile them to code, and the content policy says no, aloud.
config({ jitless: true });
