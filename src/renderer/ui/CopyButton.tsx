import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './Button.tsx';
import { tell } from './Toasts.tsx';

/** Copies a text to the clipboard. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      size="small"
      onPress={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => tell('The clipboard cannot be written to. Mark the text and copy it by hand.'),
        );
      }}
      onHoverEnd={() => setCopied(false)}
    >
      {copied ? <Check size={14} aria-hidden="true" /> : <Copy size={14} aria-hidden="true" />}
      {copied ? 'Copied' : children}
    </Button>
  );
}
