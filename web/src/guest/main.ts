import './guest.css';
import './start.tsx';
