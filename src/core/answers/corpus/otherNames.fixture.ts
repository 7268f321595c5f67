import { type CorpusPart, illness, judge, letter, risk, spread, stars, verdict } from './specs.fixture.ts';

const no70 = { prediction: 'NO', confidence: 70 };
const answer = '{"prediction":"NO","confidence":70}';
const typhoid = { label: 'Typhoid', confidence: 70, reason: 'x' };
const ill = '{"label":"Typhoid","confidence":70,"reason":"x"}';
const arthritis = { label: 'Osteoarthritis', confidence: 70, reason: 'x' };
const low = { prediction: 'low risk', confidence: 70 };
const lowRisk = '{"prediction":"low risk","confidence":70}';
const neutral = { label: 'neutral', confidence: 80, reason: 'x' };
const judged = '{"label":"neutral","confidence":80,"reason":"x"}';
const stated = (entailment: number, middle: number, contradiction: number) => ({
  prediction: 'neutral',
  distribution: { entailment, neutral: middle, contradiction },
});

/** Verdicts under names that belong to the question, and shares that contradict an answer or have no label. */
export const otherNames: readonly CorpusPart[] = [
  {
    title: 'diagnoses',
    spec: illness,
    rows: [
      [`Diagnosis: Malaria\n${ill}`, null, 'malformed'],
      [`Disease: Malaria\n${ill}`, null, 'malformed'],
      [`This is a case of Malaria.\n${ill}`, null, 'malformed'],
      [`The patient suffers from Malaria.\n${ill}`, null, 'malformed'],
      ['{"disease":"Malaria","label":"Typhoid","confidence":70,"reason":"x"}', null, 'malformed'],
      [`${ill}\nDiagnosis: Malaria`, null, 'malformed'],
      [`${ill}\nThe diagnosis is Malaria.`, null, 'malformed'],
      ['{"diagnosis":"Malaria","label":"Typhoid","confidence":70,"reason":"x"}', null, 'malformed'],
      ['{"diagnosis":"Typhoid","label":"Typhoid","confidence":70,"reason":"x"}', typhoid, 'json'],
      ['{"differential_diagnosis":"Malaria","label":"Typhoid","confidence":70,"reason":"x"}', typhoid, 'json'],
      ['{"history":"Hepatitis B","label":"Typhoid","confidence":70,"reason":"x"}', typhoid, 'json'],
      // What a patient has is what was asked for.
      [`The patient has Malaria in his history.\n${ill}`, typhoid, 'malformed'],
      [`Arthritis was ruled out.\n{"label":"Osteoarthritis","confidence":70,"reason":"x"}`, arthritis, 'embedded-json'],
      ['{"label":"Hepatitis B or C","confidence":70,"reason":"x"}', null, 'invalid_label'],
      ['{"label":"Hepatitis","confidence":70,"reason":"x"}', null, 'invalid_label'],
      ['{"label":"hepatitis c","confidence":70,"reason":"x"}', { label: 'Hepatitis C', confidence: 70, reason: 'x' }, 'json'],
    ],
  },
  {
    title: 'ratings',
    spec: stars,
    rows: [
      ['{"label":"3","confidence":70,"reason":"x"}\nRating: 4', null, 'malformed'],
      ['{"rating":4,"label":"3","confidence":70,"reason":"x"}', null, 'malformed'],
      ['{"rating":3,"label":4,"confidence":70,"reason":"x"}', null, 'malformed'],
      ['{"level":3,"label":4,"confidence":70,"reason":"x"}', null, 'malformed'],
      ['{"rating":3,"label":"3","confidence":70,"reason":"x"}', { label: '3', confidence: 70, reason: 'x' }, 'json'],
    ],
  },
  {
    title: 'keys in the words of the labels',
    spec: risk,
    rows: [
      ['{"prediction":"low risk","confidence":70,"risk_level":"high risk"}', null, 'malformed'],
      ['{"prediction":"low risk","confidence":70,"risk_level":"low risk"}', low, 'json'],
      ['{"prediction":"low risk","confidence":70,"initial_risk":"high risk"}', low, 'json'],
      [`${lowRisk}\nThe person is at high risk.`, null, 'malformed'],
      // Of whom it is said is not known to the reader.
      [`${lowRisk}\nOthers in his place are at high risk.`, low, 'malformed'],
    ],
  },
  {
    title: 'a label that is an article',
    spec: letter,
    rows: [
      ['{"label":"A","confidence":70,"reason":"x"}\nThis is a B.', null, 'malformed'],
      [
        '{"label":"B","confidence":70,"reason":"x"}\nThis is a clear case.',
        { label: 'B', confidence: 70, reason: 'x' },
        'embedded-json',
      ],
      ['{"label":"B","confidence":70,"reason":"x"}\nThe answer is a.', null, 'malformed'],
    ],
  },
  {
    title: 'shares beside an answer',
    spec: verdict,
    rows: [
      ['{"prediction":"NO","confidence":70,"YES":70,"NO":30}', null, 'malformed'],
      ['{"prediction":"NO","confidence":70,"probabilities":{"YES":0.7,"NO":0.3}}', null, 'malformed'],
      ['{"prediction":"NO","confidence":70,"probabilities":{"YES":"70%","NO":"30%"}}', null, 'malformed'],
      ['{"prediction":"NO","confidence":70,"probability":{"yes":80}}', null, 'malformed'],
      ['{"prediction":"NO","confidence":70,"probability":{"yes":30}}', no70, 'json'],
      ['{"prediction":"NO","confidence":70,"probabilities":{"YES":0.3,"NO":0.7}}', no70, 'json'],
      ['{"prediction":"NO","confidence":70,"initial_probabilities":{"YES":0.7,"NO":0.3}}', no70, 'json'],
      ['{"prediction":"NO","confidence":70,"probabilities":{"YES":0.5,"NO":0.5}}', no70, 'json'],
    ],
  },
  {
    title: 'shares in the words beside an answer',
    spec: verdict,
    rows: [
      [`Probability of YES: 80%\n${answer}`, null, 'malformed'],
      [`P(YES)=0.8\n${answer}`, null, 'malformed'],
      [`${answer}\nProbability: YES 80%, NO 20%`, null, 'malformed'],
      [`YES: 80%\nNO: 20%\n${answer}`, null, 'malformed'],
      [`Assistant: YES\n${answer}`, null, 'malformed'],
      [`Probability of YES: 30%\n${answer}`, no70, 'embedded-json'],
      [`YES: 30%\nNO: 70%\n${answer}`, no70, 'embedded-json'],
      [`P(YES)=0.3\n${answer}`, no70, 'embedded-json'],
      [`Initially I gave YES 80%.\n${answer}`, no70, 'embedded-json'],
      [`The prosecution argued for YES at 90%.\n${answer}`, no70, 'embedded-json'],
    ],
  },
  {
    title: 'shares of names that are no label',
    spec: spread,
    rows: [
      ['{"prediction":"neutral","distribution":{"entailment":10,"neutral":50,"contradiction":10,"other":30}}', null, 'malformed'],
      [
        '{"prediction":"neutral","distribution":{"entailment":0.1,"neutral":0.5,"contradiction":0.1,"unknown":0.3}}',
        null,
        'malformed',
      ],
      [
        '{"prediction":"neutral","distribution":{"entailment":10,"neutral":80,"contradiction":10,"other":0}}',
        stated(10, 80, 10),
        'json',
      ],
      [
        '{"prediction":"neutral","distribution":{"entailment":10,"neutral":80,"contradiction":10,"total":100}}',
        stated(10, 80, 10),
        'json',
      ],
    ],
  },
  {
    title: 'agreement with another verdict',
    spec: judge,
    rows: [
      [`I agree with judge 1: entailment.\n${judged}`, null, 'malformed'],
      [`I agree with judge 1: neutral.\n${judged}`, neutral, 'embedded-json'],
      [`Judge 1: entailment.\n${judged}`, neutral, 'embedded-json'],
      ['{"label":"neutral","confidence":80,"reason":"x","gold":"contradiction"}', null, 'malformed'],
      ['{"label":"neutral","confidence":80,"reason":"x","ground_truth":"contradiction"}', null, 'malformed'],
    ],
  },
  {
    title: 'questions that the text asks itself',
    spec: verdict,
    rows: [
      [`${answer}\n\nWill he be re-arrested? Yes.`, null, 'malformed'],
      [`Will he be re-arrested? Yes, probably.\n${answer}`, null, 'malformed'],
      [`Is he likely to offend again? Yes.\n${answer}`, null, 'malformed'],
      [`Does he have a record? Yes.\n${answer}`, no70, 'embedded-json'],
      [`Will he be re-arrested? No.\n${answer}`, no70, 'embedded-json'],
      [`${answer}\n\nYES would have been a better answer.`, null, 'malformed'],
      [`${answer}\n\nYES would have been another possible answer.`, no70, 'embedded-json'],
    ],
  },
];
