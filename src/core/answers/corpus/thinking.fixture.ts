import { type CorpusPart, verdict } from './specs.fixture.ts';

const yes70 = { prediction: 'YES', confidence: 70 };
const answer = '{"prediction":"YES","confidence":70}';
const draft = '{"prediction":"NO","confidence":35}';

/** Thoughts in the tags of different vendors. */
export const thoughts: readonly CorpusPart[] = [
  {
    title: 'thoughts that end',
    spec: verdict,
    rows: [
      [`<think type="x">${draft}</think>${answer}`, yes70, 'embedded-json'],
      [`< think >${draft}</ think >\n${answer}`, yes70, 'embedded-json'],
      [`<think\n id='1'>The answer is NO.</think\n>${answer}`, yes70, 'embedded-json'],
      [`<thinking budget="100">Final: NO</thinking>${answer}`, yes70, 'embedded-json'],
      [`<seed:think>${draft}</seed:think>${answer}`, yes70, 'embedded-json'],
      [`[THINK]Verdict: NO[/THINK]\n${answer}`, yes70, 'embedded-json'],
      [`[ think ]${draft}[ /think ]${answer}`, yes70, 'embedded-json'],
      [`<|begin_of_thought|>${draft}<|end_of_thought|>\n${answer}`, yes70, 'embedded-json'],
      [`<|START_THINKING|>${draft}<|END_THINKING|>${answer}`, yes70, 'embedded-json'],
      [`<antThinking>${draft}</antThinking>${answer}`, yes70, 'embedded-json'],
      [`<chain_of_thought>${draft}</chain_of_thought>${answer}`, yes70, 'embedded-json'],
      [`&lt;think&gt;${draft}&lt;/think&gt;${answer}`, yes70, 'embedded-json'],
      [`<think><think>${draft}</think></think>${answer}`, yes70, 'embedded-json'],
      [`<think/>${answer}`, yes70, 'embedded-json'],
      [
        `<|channel|>analysis<|message|>${draft}<|end|><|start|>assistant<|channel|>final<|message|>${answer}<|return|>`,
        yes70,
        'embedded-json',
      ],
      [`<|channel>thought\n${draft}<channel|>${answer}`, yes70, 'embedded-json'],
      [`analysisWe need JSON. Maybe ${draft}?assistantfinal${answer}`, yes70, 'embedded-json'],
      [`<think>The user sets "<b>NO</b>" in bold.</think>${answer}`, yes70, 'embedded-json'],
      [`${answer}\n<reasoning>NO was close.</reasoning>`, yes70, 'embedded-json'],
      [`I think <b>hard</b> about it.\n${answer}`, yes70, 'embedded-json'],
      ['<think lang="en">NO?</think>\nPrediction: YES\nConfidence: 70', yes70, 'labelled-fields'],
    ],
  },
  {
    title: 'thoughts that do not end',
    spec: verdict,
    rows: [
      [`<think type="x">So ${draft}`, null, 'malformed'],
      [`< think >\n${draft}`, null, 'malformed'],
      [`<seed:think>\n${draft}`, null, 'malformed'],
      [`[THINK]\n${draft}`, null, 'malformed'],
      [`<reasoning effort="high">${draft}`, null, 'malformed'],
      [`<|channel|>analysis<|message|>${draft}`, null, 'malformed'],
      [`<|channel|>commentary to=functions.answer<|message|>${draft}`, null, 'malformed'],
      [`analysisThe user wants JSON. ${draft}`, null, 'malformed'],
      [`<|START_THINKING|>${draft}`, null, 'malformed'],
      [`${draft}\n<think>Was that right? I`, null, 'malformed'],
      [`<think>One. <think>Two.</think> ${draft}`, null, 'malformed'],
      [`<think>Maybe <reasoning>not</reasoning> ${draft}`, null, 'malformed'],
      [`<think>${draft}</thoughtful>`, null, 'malformed'],
      ['<thinking mode="slow">\nPrediction: NO\nConfidence: 35', null, 'malformed'],
      [`<inner_monologue>${draft}`, null, 'malformed'],
    ],
  },
];
